import assert from "node:assert/strict";
import { test } from "node:test";
import { LocalError } from "./errors.ts";
import { onCheckout } from "./workspace.ts";

const FOLDERS = new Map([
  ["webui", '/a "b" c/crates/webui'],
  ["webui-node", "/d/node"],
]);

test("a linked crate's version becomes its path; other crates, and other tables, stay as they are", () => {
  const manifest = `[workspace.package]
version = "0.0.0"

[workspace.dependencies]
serde = { version = "1.0", features = ["derive"] }
webui = "=3.0.4"
webui-node = { version = "=3.0.4", default-features = false }
`;
  assert.equal(
    onCheckout(manifest, FOLDERS),
    `[workspace.package]
version = "0.0.0"

[workspace.dependencies]
serde = { version = "1.0", features = ["derive"] }
webui = { path = "/a \\"b\\" c/crates/webui" }
webui-node = { path = "/d/node", default-features = false }
`,
  );
});

test("a manifest that names no linked crate is refused", () => {
  assert.throws(() => onCheckout('serde = "1.0"\n', FOLDERS), LocalError);
});
