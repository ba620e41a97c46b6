/** For tests: a page that keeps the contract, as a plain string template. */
import { FILTER_PATHS, type Filter, makeTodos, remainingLabel, type Todo } from "./data.ts";

export interface FixturePage {
  readonly timestamp: string;
  readonly filter: Filter;
  readonly nonce: string;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

function partsHtml({ priority, due, tags, note, assignee }: Todo): string {
  return [
    priority && `<em data-priority>${priority}</em>`,
    due && `<time data-due datetime="${due.date}">${due.label}</time>`,
    tags && `<ul class="tags">${tags.map((tag) => `<li data-tag>${tag}</li>`).join("")}</ul>`,
    note && `<p data-note>${escapeHtml(note)}</p>`,
    assignee && `<span data-assignee><b>${assignee.initials}</b> ${assignee.name}</span>`,
  ]
    .filter(Boolean)
    .join("");
}

export function itemHtml(todo: Todo): string {
  return (
    `<li data-todo="${todo.id}" data-variant="${todo.variant}" data-completed="${todo.completed}">` +
    `<label><input type="checkbox" data-toggle${todo.completed ? " checked" : ""}> done</label>` +
    `<span data-title>${escapeHtml(todo.title)}</span>${partsHtml(todo)}` +
    `<button type="button" data-edit>Edit</button><button type="button" data-delete>Delete</button></li>\n`
  );
}

function filterHtml(inForce: Filter): string {
  return Object.entries(FILTER_PATHS)
    .map(([filter, path]) => {
      const current = filter === inForce ? ' aria-current="page"' : "";
      return `<a href="${path}" data-filter="${filter}"${current}>${filter}</a>`;
    })
    .join("");
}

/** A page as a raw response has it. */
export function pageHtml({ timestamp, filter, nonce }: FixturePage): string {
  const todos = makeTodos(timestamp);
  const shown = todos.filter(({ completed }) => filter === "all" || completed === (filter === "completed"));
  const active = todos.filter(({ completed }) => !completed).length;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Todos</title>
<link rel="icon" href="/assets/favicon.svg"><link rel="stylesheet" href="/assets/style-0a1b2c3d.css">
<script type="module" src="/assets/client-9f8e7d6c.js"></script></head><body>
<main data-todo-app data-request="${nonce}"><h1>Todos</h1>
<div><label>New <input data-new></label><button type="button" data-add>Add</button></div>
<nav>${filterHtml(filter)}</nav>
<div><label>Search <input type="search" data-search></label><button type="button" data-sort>Sort</button>
<button type="button" data-toggle-all>All</button><button type="button" data-clear-completed>Clear</button></div>
<p data-remaining>${remainingLabel(active)}</p>
<ul>${shown.map(itemHtml).join("")}</ul></main>
<script type="application/json" id="state">${JSON.stringify(todos).replaceAll("<", "\\u003c")}</script>
</body></html>
`;
}
