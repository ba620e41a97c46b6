import assert from "node:assert/strict";
import { test } from "node:test";
import { foundOf, makePublication, makePublisher } from "../testing/right-publication.ts";
import { publish } from "./publish.ts";
import { type FoundSummary, verifyPublication } from "./verify.ts";

const right = makePublication(["alpha", "beta"]);
const found = foundOf(right);
const summaries: FoundSummary[] = publish(found, makePublisher(right)).map((one) => {
  assert.ok(one.status === "published");
  return { name: one.name, text: one.text };
});

function problemsWith(change: (text: string) => string): string[] {
  const [first, ...others] = summaries;
  assert.ok(first !== undefined);
  return verifyPublication(found, [{ ...first, text: change(first.text) }, ...others]).map(
    ({ file, rule }) => `${file} ${rule}`,
  );
}

test("a whole publication is right", () => {
  assert.deepEqual(verifyPublication(found, summaries), []);
});

test("a summary's figure that isn't that of its reports is found, with its path", () => {
  const changed = problemsWith((text) => text.replace(/("completedRps": \{\s+"median": )[\d.]+/, "$19999"));
  assert.deepEqual(changed, ["benchmark-summary.json rows.0.load.completedRps.median"]);
});

test("so is a digest of another report, and a change of bytes alone", () => {
  assert.deepEqual(
    problemsWith((text) => text.replace("d".repeat(64), "e".repeat(64))),
    ["benchmark-summary.json inputs.0.sha256"],
  );
  assert.deepEqual(
    problemsWith((text) => `${text}\n`),
    ["benchmark-summary.json bytes"],
  );
});

test("a summary without the reports that it was made of can't be held against anything", () => {
  const rules = verifyPublication([], summaries).map(({ rule }) => rule);
  assert.deepEqual(rules, ["inputs", "inputs"]);
});

test("a summary that can't be read says by its schema why", () => {
  assert.deepEqual(
    problemsWith((text) => text.replace('"place": null', '"place": "first"')),
    ["benchmark-summary.json rows.0.place"],
  );
});

test("a report that may not be published is named with the reason", () => {
  const dirty = structuredClone(right);
  dirty["ssr-todo-official.json"].provenance.dirty = true;
  const problems = verifyPublication(foundOf(dirty), []);
  assert.deepEqual(
    problems.map(({ file, rule }) => `${file} ${rule}`),
    ["ssr-todo-official.json dirty-source"],
  );
});
