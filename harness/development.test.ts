import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { test } from "node:test";
import { developmentSign } from "./development.ts";
import { discoverAdapters } from "./manifest.ts";
import { SERVERS_DIR } from "./project.ts";

test("a sign is found wherever it stands in the file", () => {
  const bundle = Buffer.concat([
    Buffer.alloc(100_000, "x"),
    Buffer.from("React.jsxDEV(App)"),
    Buffer.alloc(9),
  ]);
  assert.equal(developmentSign("dist/server.js", bundle), "jsxDEV(");
  assert.equal(developmentSign("dist/server.js", Buffer.from("jsx(App)")), null);
});

test("a message is a sign where it is thrown, not where a comment tells of it", () => {
  const name = "lifecycle_outside_component";
  const text = "`%name%(...)` can only be used during component initialisation";
  const development = [`throw Error(\`${name}\\n${text}\`)`, `throw Error(\`${name}\n${text}\`)`];
  for (const code of development) assert.notEqual(developmentSign("dist/a.js", Buffer.from(code)), null);
  const production = `/** ${text} */ function ${name}(name) { throw Error(\`https://svelte.dev/e/${name}\`) }`;
  assert.equal(developmentSign("dist/a.js", Buffer.from(production)), null);
});

test("packages as they were published aren't judged", () => {
  const dual = Buffer.from("Each child in a list should have a unique key");
  assert.equal(developmentSign("dist/node_modules/ui/cjs/ui.development.js", dual), null);
  assert.notEqual(developmentSign("dist/my_node_modules.js", dual), null);
});

test("the development builds that a framework publishes have signs, its production builds none", () => {
  const require = createRequire(path.join(SERVERS_DIR, "react", "package.json"));
  const folder = path.join(path.dirname(require.resolve("react-dom")), "cjs");
  const builds = readdirSync(folder).filter((name) => /^react-dom-(?:client|server)/.test(name));
  const production = builds.filter((name) => name.includes(".production."));
  assert.ok(production.length > 0 && production.length < builds.length);
  for (const name of builds) {
    const sign = developmentSign(name, readFileSync(path.join(folder, name)));
    assert.equal(sign === null, production.includes(name), `${name}: ${sign}`);
  }
});

test("no sign is part of what the adapters ship", async () => {
  for (const { folder, artifacts } of await discoverAdapters(SERVERS_DIR)) {
    for (const artifact of artifacts) {
      for (const file of filesOf(path.join(folder, artifact))) {
        assert.equal(developmentSign(path.relative(folder, file), readFileSync(file)), null, file);
      }
    }
  }
});

/** Nothing where it isn't built. */
function filesOf(target: string): string[] {
  try {
    return readdirSync(target, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOTDIR") return [target];
    if (code === "ENOENT") return [];
    throw error;
  }
}
