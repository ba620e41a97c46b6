/** An item's content as elements: what `templates/components/todo-item` is on the server. */
import type { Assignee, Due, Priority, Todo } from "../../../todo/contract/data.ts";

/** The content of the item that shows `todo`, its parts included; absent parts are absent. */
export function itemContent(todo: Todo): HTMLElement[] {
  return [toggle(todo), body(todo), actions()];
}

type Attributes = Readonly<Record<string, string>>;

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function toggle({ completed }: Todo): HTMLElement {
  const box = element("input", {
    type: "checkbox",
    class: "todo-toggle",
    "data-toggle": "",
    "aria-label": "Completed",
    autocomplete: "off",
  });
  box.checked = completed;
  return box;
}

function body(todo: Todo): HTMLElement {
  const title = element("span", { class: "todo-title", "data-title": "" }, todo.title);
  const made = element("div", { class: "todo-body" }, title);
  const parts = lineOfParts(todo);
  if (parts.length > 0) made.append(element("div", { class: "todo-parts" }, ...parts));
  if (todo.note) made.append(element("p", { class: "todo-note", "data-note": "" }, todo.note));
  return made;
}

function lineOfParts({ priority, due, tags, assignee }: Todo): HTMLElement[] {
  const parts: HTMLElement[] = [];
  if (priority) parts.push(priorityPart(priority));
  if (due) parts.push(duePart(due));
  if (tags) parts.push(tagsPart(tags));
  if (assignee) parts.push(assigneePart(assignee));
  return parts;
}

function priorityPart(priority: Priority): HTMLElement {
  return element("span", { class: "todo-priority", "data-priority": "", "data-level": priority }, priority);
}

function duePart(due: Due): HTMLElement {
  return element("time", { "data-due": "", datetime: due.date }, due.label);
}

function tagsPart(tags: readonly string[]): HTMLElement {
  const entries = tags.map((tag) => element("li", { class: "todo-tag", "data-tag": "" }, tag));
  return element("ul", { class: "todo-tags", "aria-label": "Tags" }, ...entries);
}

function assigneePart({ initials, name }: Assignee): HTMLElement {
  const badge = element("span", { class: "todo-initials" }, initials);
  return element("span", { "data-assignee": "" }, badge, ` ${name}`);
}

function actions(): HTMLElement {
  const small = "todo-button todo-button-small";
  const edit = { type: "button", class: small, "data-edit": "" };
  const remove = { type: "button", class: `${small} todo-button-danger`, "data-delete": "" };
  return element(
    "div",
    { class: "todo-actions" },
    element("button", edit, "Edit"),
    element("button", remove, "Delete"),
  );
}
