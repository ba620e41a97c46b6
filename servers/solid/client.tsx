import "../_kit/assets/favicon.svg";
import "../_kit/assets/todo.css";
import { hydrate } from "solid-js/web";
import { readPageData } from "../_kit/client/json.ts";
import { App } from "./app/App.tsx";

const { todos, nonce } = readPageData();
const root = document.getElementById("app");
if (root === null) throw new Error("The page has no #app to hydrate.");
hydrate(() => <App todos={todos} nonce={nonce} url={location.pathname} />, root);
