// First of all: LitElement takes the support for hydration when it is evaluated, or never.
import "@lit-labs/ssr-client/lit-element-hydrate-support.js";
import "../_kit/assets/favicon.svg";
import "../_kit/assets/todo.css";
import { hydrate } from "@lit-labs/ssr-client";
import { readPageData } from "../_kit/client/json.ts";
import { type LitPageData, page, ROOT_ID } from "./app/page.ts";

const root = document.getElementById(ROOT_ID);
if (root === null) throw new Error(`The page has no #${ROOT_ID} to hydrate.`);
hydrate(page(readPageData<LitPageData>()), root);
