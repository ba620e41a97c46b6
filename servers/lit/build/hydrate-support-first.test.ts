import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { hydrateSupportFirst } from "./hydrate-support-first.ts";

const ADAPTER = path.resolve(import.meta.dirname, "..");
const SUPPORT = "@lit-labs/ssr-client/lit-element-hydrate-support.js";

/** Modules in the places of Lit's, which note when they are evaluated. */
const FILES: Readonly<Record<string, string>> = {
  "node_modules/lit-element/lit-element.js": `(globalThis.evaluated ??= []).push("LitElement"); export class LitElement {}`,
  [`node_modules/${SUPPORT}`]: `(globalThis.evaluated ??= []).push("support");`,
  "element.js": `import { LitElement } from "./node_modules/lit-element/lit-element.js"; export const element = new LitElement();`,
  "right.js": `import "./node_modules/${SUPPORT}"; import { element } from "./element.js"; console.assert(element);`,
  "wrong.js": `import { element } from "./element.js"; import "./node_modules/${SUPPORT}"; console.assert(element);`,
  "none.js": `import { element } from "./element.js"; console.assert(element);`,
};

type Groups = readonly { readonly name: string; readonly test: RegExp }[];

describe("hydrate support first", () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "lit-order-"));
    for (const [file, text] of Object.entries(FILES)) {
      await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
      await writeFile(path.join(folder, file), text);
    }
    await writeFile(path.join(folder, "package.json"), '{ "type": "module" }');
  });
  after(() => rm(folder, { recursive: true }));

  /** Builds an entry with modules put into chunks of their own. @returns the file of the built entry */
  async function client(root: string, entry: string, groups: Groups, guarded: boolean): Promise<string> {
    const outDir = path.join(folder, "dist", String(Math.random()));
    await build({
      root,
      configFile: false,
      logLevel: "silent",
      plugins: guarded ? [hydrateSupportFirst()] : [],
      build: {
        outDir,
        minify: false,
        modulePreload: { polyfill: false },
        rolldownOptions: {
          input: path.resolve(root, entry),
          output: { entryFileNames: "entry.js", codeSplitting: { groups: [...groups] } },
          treeshake: { moduleSideEffects: true },
        },
      },
    });
    return path.join(outDir, "entry.js");
  }

  /** What really comes first in the built entry, when it runs. */
  async function evaluated(entry: string, groups: Groups): Promise<unknown> {
    const built = await client(folder, entry, groups, false);
    Object.assign(globalThis, { evaluated: [] });
    await import(pathToFileURL(built).href);
    return (globalThis as { evaluated?: unknown }).evaluated;
  }

  const shared = [{ name: "shared", test: /lit-element\.js$/ }];
  const apart = [...shared, { name: "support", test: /hydrate-support\.js$/ }];
  const together = [{ name: "together", test: /node_modules/ }];
  const cases = [
    ["right.js", [], "one chunk, the support imported first"],
    ["wrong.js", [], "one chunk, the elements imported first"],
    ["right.js", shared, "LitElement in a chunk of its own"],
    ["wrong.js", shared, "LitElement in a chunk of its own, the elements imported first"],
    ["right.js", apart, "each in a chunk of its own"],
    ["wrong.js", apart, "each in a chunk of its own, the elements imported first"],
    ["right.js", together, "both in one chunk beside the entry's"],
    ["wrong.js", together, "both in one chunk beside the entry's, the elements imported first"],
  ] as const;

  for (const [entry, groups, what] of cases) {
    test(`${what}: refused where LitElement really comes first`, async () => {
      const order = await evaluated(entry, groups);
      if (isRight(order)) await client(folder, entry, groups, true);
      else
        await assert.rejects(
          client(folder, entry, groups, true),
          /LitElement is evaluated before its support/,
        );
    });
  }

  test("the known causes are among the cases", async () => {
    assert.ok(!isRight(await evaluated("wrong.js", [])));
    assert.ok(!isRight(await evaluated("right.js", shared)));
    assert.ok(isRight(await evaluated("right.js", [])));
  });

  test("a client without the support, or without LitElement, is refused", async () => {
    await assert.rejects(client(folder, "none.js", [], true), /support for hydration isn't in it/);
    const supportOnly = `node_modules/${SUPPORT}`;
    await assert.rejects(client(folder, supportOnly, [], true), /LitElement isn't in it/);
  });

  test("Lit's own modules are found, in this adapter's client and in one with the wrong order", async () => {
    await client(ADAPTER, "client.tsx", [], true);
    const wrong = path.join(folder, "lit-first.js");
    const lit = path.join(ADAPTER, "node_modules/lit/index.js");
    const support = path.join(ADAPTER, "node_modules", SUPPORT);
    await writeFile(
      wrong,
      `import { LitElement } from "${lit}"; import "${support}"; console.log(LitElement);`,
    );
    await assert.rejects(client(ADAPTER, wrong, [], true), /LitElement is evaluated before its support/);
  });
});

function isRight(order: unknown): boolean {
  assert.ok(Array.isArray(order) && order.length === 2, "both are evaluated, once each");
  return order[0] === "support";
}
