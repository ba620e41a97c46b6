/**
 * Golden vectors of the data, for implementations in other languages. Writes them to standard output when it is run:
 * `node todo/contract/golden.ts > todo/contract/golden-todos.json`
 */
import { makeTodos } from "./data.ts";

const TIMESTAMPS = ["2026-09-11T22:49:49.677Z", "1970-01-01T00:00:00.000Z", "2038-01-19T03:14:08.007Z"];

/** `[{ timestamp, todos }]`, compact, one line a list. */
export function goldenText(): string {
  const lists = TIMESTAMPS.map((timestamp) => JSON.stringify({ timestamp, todos: makeTodos(timestamp) }));
  return `[\n${lists.join(",\n")}\n]\n`;
}

if (import.meta.main) console.log(goldenText().trimEnd());
