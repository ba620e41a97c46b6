import type { ReactNode } from "react";
import { makeTodos } from "../../../../todo/contract/data.ts";
import { Todos } from "../Todos.tsx";

export const dynamic = "force-dynamic";

/** What the three pages share: the app stands here, so that its state outlives the way from one to another. */
export default function TodosLayout({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <Todos todos={makeTodos(new Date().toISOString())} />
      {children}
    </>
  );
}
