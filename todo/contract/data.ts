/**
 * The workload's data: 100 todos, rendered afresh for every request.
 *
 * The one module of the contract that adapters may import. It has no dependency and uses no platform API, so
 * that it runs in every server runtime and in the browser. The Rust adapters are held to golden vectors made
 * from it.
 */

/** Raised by every change to the workload; results of different versions don't compare. */
export const CONTRACT_VERSION = 1;

export const TODO_COUNT = 100;
export const VARIANT_COUNT = 32;

/** The optional parts of an item, by their bit in `variant`. */
export const PART_BITS = { priority: 1, due: 2, tags: 4, note: 8, assignee: 16 } as const;

export type Priority = "low" | "medium" | "high";
export type Filter = "all" | "active" | "completed";

export interface Due {
  /** `YYYY-MM-DD`, the value of `<time datetime>`. */
  readonly date: string;
  /** What a person reads, e.g. `due 14 Oct 2026`. */
  readonly label: string;
}

export interface Assignee {
  readonly initials: string;
  readonly name: string;
}

/** One item. A part whose bit isn't set in `variant` is absent, not `undefined`, so that JSON keeps it so. */
export interface Todo {
  readonly id: string;
  readonly title: string;
  readonly completed: boolean;
  readonly variant: number;
  readonly priority?: Priority;
  readonly due?: Due;
  readonly tags?: readonly [string, string];
  readonly note?: string;
  readonly assignee?: Assignee;
}

const PRIORITIES = ["low", "medium", "high"] as const;

const TAGS = ["home", "work", "garden", "errand", "reading", "health", "travel"] as const;

/** Each holds `&`, `<`, `>`, both quotes, an emoji and a combining accent: what escaping gets wrong. */
const NOTES = [
  `Ask "Ann" & Bob: is 3 < 5 > 2? It's on the cafe\u0301 list ☕`,
  `<b>Not bold</b> & 'not' "markup": a re\u0301sume\u0301 to send 📄`,
  `R&D says x > y < z; "don't" forget the pin\u0303ata 🎉`,
  `if (a < b && b > c) { call("Zoe\u0308's office") } 📞`,
  `Fish & chips > "soup" < cake, says the mai\u0302tre d' 🐟`,
] as const;

const ASSIGNEES: readonly Assignee[] = [
  { initials: "AL", name: "Ada Lovelace" },
  { initials: "GH", name: "Grace Hopper" },
  { initials: "AT", name: "Alan Turing" },
  { initials: "KJ", name: "Katherine Johnson" },
  { initials: "DK", name: "Donald Knuth" },
  { initials: "BL", name: "Barbara Liskov" },
];

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

function pick<T>(table: readonly T[], n: number): T {
  return table[n % table.length] as T;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, "0");
}

function due(n: number): Due {
  const month = n % 12;
  const day = (n % 28) + 1;
  return { date: `2026-${pad(month + 1, 2)}-${pad(day, 2)}`, label: `due ${day} ${MONTHS[month]} 2026` };
}

/** `todo-001` for 1. */
export function todoId(n: number): string {
  return `todo-${pad(n, 3)}`;
}

/** `Todo 001 at 2026-09-11T22:49:49.677Z` for 1. @param timestamp ISO 8601, milliseconds, UTC */
export function todoTitle(n: number, timestamp: string): string {
  return `Todo ${pad(n, 3)} at ${timestamp}`;
}

/** Todo number `n` (1 to 100) of a request handled at `timestamp` (ISO 8601, milliseconds, UTC). */
export function makeTodo(n: number, timestamp: string): Todo {
  const variant = (n - 1) % VARIANT_COUNT;
  return {
    id: todoId(n),
    title: todoTitle(n, timestamp),
    completed: n % 3 === 1,
    variant,
    ...(variant & PART_BITS.priority ? { priority: pick(PRIORITIES, n) } : {}),
    ...(variant & PART_BITS.due ? { due: due(n) } : {}),
    ...(variant & PART_BITS.tags ? { tags: [pick(TAGS, n), pick(TAGS, n + 3)] as const } : {}),
    ...(variant & PART_BITS.note ? { note: pick(NOTES, n) } : {}),
    ...(variant & PART_BITS.assignee ? { assignee: pick(ASSIGNEES, n) } : {}),
  };
}

/** The 100 todos of one request. @param timestamp ISO 8601, milliseconds, UTC; taken once per request */
export function makeTodos(timestamp: string): Todo[] {
  return Array.from({ length: TODO_COUNT }, (_, index) => makeTodo(index + 1, timestamp));
}

/** The pages and the filter that each shows. */
export const FILTER_PATHS = {
  all: "/",
  active: "/active",
  completed: "/completed",
} as const satisfies Record<Filter, string>;

/** The filter that a path shows, or null for a path that isn't a page. */
export function filterOfPath(pathname: string): Filter | null {
  switch (pathname) {
    case "/":
      return "all";
    case "/active":
      return "active";
    case "/completed":
      return "completed";
    default:
      return null;
  }
}

const NONCE = /^[A-Za-z0-9]{1,32}$/;

/** What the page shows as `data-request`: the `r` of the query where it is well-formed, else nothing. */
export function requestNonce(value: string | null | undefined): string {
  return value != null && NONCE.test(value) ? value : "";
}

/** `66 items left`, `1 item left`. */
export function remainingLabel(active: number): string {
  return `${active} ${active === 1 ? "item" : "items"} left`;
}
