/** What stands in the document's root element, on both sides: the same template with the same data hydrates. */
import { html } from "lit";
import type { PageData } from "../../_kit/client/json.ts";
import "./todo-app.ts";

/** The element that the page is hydrated in. */
export const ROOT_ID = "root";

/** What both sides render the page from. */
export interface LitPageData extends PageData {
  /** The stylesheet that each shadow root links. */
  readonly stylesheet: string;
}

/** The app's element, given its data as properties. */
export function page({ nonce, todos, filter, stylesheet }: LitPageData) {
  return html`<todo-app class="todo-app" data-todo-app data-request=${nonce}
    .todos=${todos} .filter=${filter} .stylesheet=${stylesheet}></todo-app>`;
}
