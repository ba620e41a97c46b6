import assert from "node:assert/strict";
import { test } from "node:test";
import type { LinkRecord } from "../../harness/links.ts";
import { checkFindings, cpuFindings, linkFindings, sourceFindings } from "./preflight.ts";

const clean = { digest: "0".repeat(64), revision: "1".repeat(40), dirty: false, reason: null } as const;

test("a clean source is no finding, a dirty or unreadable one blocks", () => {
  assert.deepEqual(sourceFindings(clean), []);
  for (const dirty of [true, "unknown"] as const) {
    assert.deepEqual(
      sourceFindings({ ...clean, dirty, reason: "no git" }).map(({ blocks }) => blocks),
      [true],
    );
  }
});

test("one CPU blocks", () => {
  assert.deepEqual(cpuFindings(2), []);
  assert.equal(cpuFindings(1)[0]?.blocks, true);
});

test("what is missing blocks, also what only the browser run needs; what disturbs is told", () => {
  const check = { name: "x", needed: false, found: "none", hint: "Install it." };
  const findings = checkFindings([
    { ...check, status: "ok" },
    { ...check, status: "note" },
    { ...check, status: "missing" },
  ]);
  assert.deepEqual(
    findings.map(({ blocks }) => blocks),
    [false, true],
  );
});

test("a linked checkout is told, and blocks where it is dirty", () => {
  const link: LinkRecord = {
    name: "theirs",
    revision: "1".repeat(40),
    dirty: false,
    packages: [],
    reason: null,
    checkout: "/their/checkout",
    linkedAt: "2026-01-01T00:00:00.000Z",
    inputs: ["servers/_theirs"],
    cargoLock: null,
    relink: "link it",
  };
  const blocks = ([true, false, "unknown"] as const).map(
    (dirty) => linkFindings([{ ...link, dirty }])[0]?.blocks,
  );
  assert.deepEqual(blocks, [true, false, true]);
});
