/** Data in the page, in a `<script type="application/json">`. */
import type { Filter, Todo } from "../../../todo/contract/data.ts";

/** What the server hands to the client: the whole list on every path, and what else the markup was made from. */
export interface PageData {
  readonly filter: Filter;
  readonly nonce: string;
  readonly todos: readonly Todo[];
}

/** The id of the script element that holds the data. */
export const DATA_ELEMENT_ID = "todo-data";

/** JSON that can't end the script element it stands in, nor open a comment there. */
export function scriptSafeJson(data: unknown): string {
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}

/** The data that the server put into the page. @throws Error where there is none */
export function readPageData<Data extends PageData>(): Data {
  const element = document.getElementById(DATA_ELEMENT_ID);
  if (element === null) throw new Error(`The page has no #${DATA_ELEMENT_ID} to hydrate from.`);
  return JSON.parse(element.textContent) as Data;
}
