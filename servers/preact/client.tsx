import "../_kit/assets/favicon.svg";
import "../_kit/assets/todo.css";
import { hydrate } from "preact";
import { readPageData } from "../_kit/client/json.ts";
import { ROOT_ID } from "./app/Document.tsx";
import { TodoApp } from "./app/TodoApp.tsx";

const { todos, filter, nonce } = readPageData();
const root = document.getElementById(ROOT_ID);
if (root === null) throw new Error(`The page has no #${ROOT_ID} to hydrate.`);
hydrate(<TodoApp todos={todos} filter={filter} nonce={nonce} />, root);
