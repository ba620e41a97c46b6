import assert from "node:assert/strict";
import { test } from "node:test";
import { type Crate, closure, isAtLeast } from "./cargo.ts";

test("versions are compared by number, part for part", () => {
  for (const [version, wanted, expected] of [
    ["1.95.0", "1.95", true],
    ["1.95.0", "1.95.0", true],
    ["1.95.0", "1.99.1", false],
    ["1.100.0", "1.99.1", true],
    ["1.97.0-nightly", "1.97", true],
    ["2.0", "1.99.1", true],
    ["1.95", "1.95.1", false],
  ] as const) {
    assert.equal(isAtLeast(version, wanted), expected, `${version} for ${wanted}`);
  }
});

function crate(name: string, needs: readonly { name: string; kind?: string; path?: string }[] = []): Crate {
  return {
    name,
    version: "1.0.0",
    source: null,
    rust_version: null,
    manifest_path: `/${name}/Cargo.toml`,
    dependencies: needs.map(({ kind = null, ...others }) => ({ kind, ...others })),
  };
}

test("what is compiled: the crates named and what they need of the same workspace, without what only tests need", () => {
  const crates = [
    crate("top", [
      { name: "inner", path: "/inner" },
      { name: "tests", path: "/tests", kind: "dev" },
      { name: "serde" },
    ]),
    crate("inner", [{ name: "top", path: "/top" }]),
    crate("tests"),
    crate("alone"),
  ];
  assert.deepEqual(
    closure(crates, ["top"]).map(({ name }) => name),
    ["inner", "top"],
  );
});
