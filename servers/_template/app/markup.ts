/** The page as text: what the server sends, and what the client makes new items from. */
import { FILTER_PATHS, type Filter, remainingLabel, type Todo } from "../../../todo/contract/data.ts";
import { DATA_ELEMENT_ID, type PageData, scriptSafeJson } from "../../_kit/client/json.ts";
import { countActive, shownTodos } from "../../_kit/client/todos.ts";
import type { PageAssets } from "../../_kit/server/assets.ts";

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] as string);
}

export function documentStart({ script, stylesheet, favicon }: PageAssets): string {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Todos</title>
<link rel="icon" type="image/svg+xml" href="${favicon}"><link rel="stylesheet" href="${stylesheet}">
<script type="module" src="${script}"></script></head><body>`;
}

/** The data that the client goes on from, and the end of the document. */
export function documentEnd(data: PageData): string {
  return `<script id="${DATA_ELEMENT_ID}" type="application/json">${scriptSafeJson(data)}</script></body></html>`;
}

/** The app's root with all that the path shows. */
export function appMarkup({ todos, filter, nonce }: PageData): string {
  const shown = shownTodos(todos, { filter, search: "", reversed: false });
  return `<main class="todo-app" data-todo-app data-request="${nonce}">
<header class="todo-header"><h1 class="todo-heading">Todos</h1>
<p class="todo-remaining" data-remaining aria-live="polite">${remainingLabel(countActive(todos))}</p></header>
${NEW_TODO}
<div class="todo-tools"><nav class="todo-filters" aria-label="Filter">${filterLinks(filter)}</nav>
<button type="button" class="todo-button" data-toggle-all>Toggle all</button>
<button type="button" class="todo-button" data-clear-completed>Clear completed</button></div>
${SEARCH}
<ul class="todo-list">${shown.map(itemMarkup).join("")}</ul></main>`;
}

const NEW_TODO = `<form class="todo-new"><label class="todo-label"><span class="todo-unseen">New todo</span>
<input class="todo-field todo-field-wide" data-new placeholder="What needs to be done?" autocomplete="off"></label>
<button type="submit" class="todo-button todo-button-primary" data-add>Add</button></form>`;

const SEARCH = `<search class="todo-tools"><label class="todo-label"><span class="todo-unseen">Search titles</span>
<input type="search" class="todo-field todo-field-wide" data-search placeholder="Search titles" autocomplete="off"></label>
<button type="button" class="todo-button" data-sort aria-pressed="false">Reverse order</button></search>`;

const FILTER_LABELS = { all: "All", active: "Active", completed: "Completed" } as const;

function filterLinks(current: Filter): string {
  const filters = Object.keys(FILTER_LABELS) as Filter[];
  return filters
    .map((filter) => {
      const inForce = filter === current ? ' aria-current="page"' : "";
      return `<a class="todo-filter" href="${FILTER_PATHS[filter]}" data-filter="${filter}"${inForce}>${FILTER_LABELS[filter]}</a>`;
    })
    .join("");
}

/** One item; parts that it hasn't are absent. */
export function itemMarkup(todo: Todo): string {
  const { id, title, completed, variant } = todo;
  return `<li class="todo-item" data-todo="${id}" data-variant="${variant}" data-completed="${completed}">
<input type="checkbox" class="todo-toggle" data-toggle aria-label="Completed" autocomplete="off"${completed ? " checked" : ""}>
<div class="todo-body"><span class="todo-title" data-title>${escapeHtml(title)}</span>${partsMarkup(todo)}</div>
<div class="todo-actions"><button type="button" class="todo-button todo-button-small" data-edit>Edit</button>
<button type="button" class="todo-button todo-button-small todo-button-danger" data-delete>Delete</button></div></li>`;
}

function partsMarkup({ priority, due, tags, note, assignee }: Todo): string {
  const line = [
    priority && `<span class="todo-priority" data-priority data-level="${priority}">${priority}</span>`,
    due && `<time data-due datetime="${due.date}">${due.label}</time>`,
    tags && `<ul class="todo-tags" aria-label="Tags">${tags.map(tagMarkup).join("")}</ul>`,
    assignee &&
      `<span data-assignee><span class="todo-initials">${assignee.initials}</span> ${assignee.name}</span>`,
  ]
    .filter(Boolean)
    .join("");
  return `${line && `<div class="todo-parts">${line}</div>`}${note ? `<p class="todo-note" data-note>${escapeHtml(note)}</p>` : ""}`;
}

function tagMarkup(tag: string): string {
  return `<li class="todo-tag" data-tag>${tag}</li>`;
}
