import type { ReactNode } from "react";
import favicon from "../../_kit/assets/favicon.svg";
import "../../_kit/assets/todo.css";

/** Title and icon stand here, not among Next's metadata: those are taken out and put back at every navigation, and a browser that sees no icon asks for `/favicon.ico`. */
export default function Document({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <title>Todos</title>
        <link rel="icon" href={favicon.src} />
      </head>
      <body>{children}</body>
    </html>
  );
}
