/** Small helpers that all checks share. */
import type { Problem } from "./problem.ts";

/** One problem where the two differ, none where they are the same. Compared exactly. */
export function differs(rule: string, expected: unknown, seen: unknown): Problem[] {
  return expected === seen ? [] : [problem(rule, quote(expected), quote(seen))];
}

/** A problem with long texts cut short. */
export function problem(rule: string, expected: string, seen: string): Problem {
  return { rule, expected: cut(expected), seen: cut(seen) };
}

/** JSON, so that white space, control characters and null are seen for what they are. */
export function quote(value: unknown): string {
  return typeof value === "number" ? String(value) : (JSON.stringify(value) ?? String(value));
}

/** A page that is wrong is often wrong a hundred times: the first of each rule, and how many more there are. */
export function condense(problems: readonly Problem[]): Problem[] {
  const byRule = Map.groupBy(problems, ({ rule }) => rule);
  return [...byRule.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    return same.length === 1 ? [first] : [{ ...first, seen: `${first.seen} (and ${same.length - 1} more)` }];
  });
}

const LONGEST = 300;

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
