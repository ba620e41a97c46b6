import { Route, Router } from "@solidjs/router";
import { For } from "solid-js";
import { FILTER_PATHS, type Todo } from "../../../todo/contract/data.ts";
import { TodoApp } from "./TodoApp.tsx";

interface Props {
  readonly todos: readonly Todo[];
  readonly nonce: string;
  /** The path that is rendered for; in the browser the router goes by the address. */
  readonly url: string;
}

/**
 * The app and its three pages. They differ in what the app shows, not in a view of their own: its state outlives the
 * way between them.
 */
export function App(props: Props) {
  return (
    <Router url={props.url} root={() => <TodoApp todos={props.todos} nonce={props.nonce} />}>
      <For each={Object.values(FILTER_PATHS)}>{(path) => <Route path={path} />}</For>
    </Router>
  );
}
