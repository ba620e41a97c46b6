import type { Metadata } from "next";
import type { ReactNode } from "react";
import favicon from "../../_kit/assets/favicon.svg";
import "../../_kit/assets/todo.css";

export const metadata: Metadata = { title: "Todos", icons: favicon.src };

export default function Document({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
