/** The optional parts of an item: those it hasn't are absent. */
import { html, nothing } from "lit";
import type { Assignee, Due, Priority, Todo } from "../../../todo/contract/data.ts";

/** The line of small parts. */
export function partsLine({ priority, due, tags, assignee }: Todo) {
  if (!(priority || due || tags || assignee)) return nothing;
  return html`<div class="todo-parts">
    ${priority ? priorityPart(priority) : nothing}
    ${due ? duePart(due) : nothing}
    ${tags ? tagsPart(tags) : nothing}
    ${assignee ? assigneePart(assignee) : nothing}
  </div>`;
}

export function notePart({ note }: Todo) {
  return note ? html`<p class="todo-note" data-note>${note}</p>` : nothing;
}

function priorityPart(priority: Priority) {
  return html`<span class="todo-priority" data-priority data-level=${priority}>${priority}</span>`;
}

function duePart({ date, label }: Due) {
  return html`<time data-due datetime=${date}>${label}</time>`;
}

function tagsPart(tags: readonly string[]) {
  return html`<ul class="todo-tags" aria-label="Tags">
    ${tags.map((tag) => html`<li class="todo-tag" data-tag>${tag}</li>`)}
  </ul>`;
}

function assigneePart({ initials, name }: Assignee) {
  return html`<span data-assignee><span class="todo-initials">${initials}</span> ${name}</span>`;
}
