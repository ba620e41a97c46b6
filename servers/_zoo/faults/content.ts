/** Pages that are whole and well sent, and say something wrong. */
import { makeTodos, type Todo } from "../../../todo/contract/data.ts";
import type { PageData } from "../../_kit/client/json.ts";
import type { Fault, Faults } from "../fault.ts";

/** A page made of other data than the right. @param begin called when the server starts */
function showing(what: string, begin: () => (data: PageData) => PageData): Fault {
  return {
    what,
    make(right) {
      const change = begin();
      return {
        respond: (exchange) => right.send(exchange, right.render(change(right.data(exchange.page)))),
      };
    },
  };
}

/** A page whose list is another one. */
function listing(what: string, change: (todos: readonly Todo[]) => readonly Todo[]): Fault {
  return showing(what, () => (data) => ({ ...data, todos: change(data.todos) }));
}

/** A page whose markup is changed after it was rendered. */
function writing(what: string, change: (markup: string) => string): Fault {
  return {
    what,
    make: (right) => ({
      respond(exchange) {
        const document = right.render(right.data(exchange.page));
        right.send(exchange, { ...document, app: change(document.app) });
      },
    }),
  };
}

const ENTITY = /&(amp|lt|gt|quot);/g;
const CHARACTERS: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };
const NOTE = /(<p class="todo-note" data-note>)(.*?)(<\/p>)/gs;

function eachNote(markup: string, change: (note: string) => string): string {
  return markup.replaceAll(
    NOTE,
    (_, open: string, note: string, close: string) => open + change(note) + close,
  );
}

export const CONTENT_FAULTS = {
  "start-timestamp": showing("the timestamp of the server's start in all pages", () => {
    const todos = makeTodos(new Date().toISOString());
    return (data) => ({ ...data, todos });
  }),
  "late-timestamp": showing("a timestamp of an hour ahead", () => (data) => ({
    ...data,
    todos: makeTodos(new Date(Date.now() + 3_600_000).toISOString()),
  })),
  "previous-nonce": showing("the nonce of the request before", () => {
    let previous = "";
    return (data) => {
      const nonce = previous;
      previous = data.nonce;
      return { ...data, nonce };
    };
  }),
  "one-item": listing("the first item only", (todos) => todos.slice(0, 1)),
  "99-items": listing("the last item is missing", (todos) => todos.slice(0, -1)),
  "101-items": listing("an item too many", (todos) => [
    ...todos,
    { ...(todos[1] as Todo), id: "todo-101", title: (todos[1] as Todo).title.replace("002", "101") },
  ]),
  "swapped-items": listing("two neighbours in the wrong order", (todos) =>
    todos.map((todo, index) => todos[index === 50 ? 51 : index === 51 ? 50 : index] ?? todo),
  ),
  "part-too-many": listing("a part where its bit is unset", (todos) =>
    todos.map((todo) => (todo.id === "todo-065" ? { ...todo, priority: "low" } : todo)),
  ),
  "part-missing": listing("no part where its bit is set", (todos) =>
    todos.map((todo) => {
      if (todo.id !== "todo-002") return todo;
      const { priority: _, ...others } = todo;
      return others;
    }),
  ),
  "note-escaped-twice": writing("notes escaped twice", (markup) =>
    eachNote(markup, (note) => note.replaceAll("&", "&amp;")),
  ),
  "note-not-escaped": writing("notes as they are", (markup) =>
    eachNote(markup, (note) => note.replaceAll(ENTITY, (_, name: string) => CHARACTERS[name] ?? "")),
  ),
} satisfies Faults;
