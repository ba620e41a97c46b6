/** The arrows between the layers, from one table, and that nothing outside servers/ knows an adapter by name. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { test } from "node:test";
import { PROJECT_ROOT, SERVERS_DIR } from "./project.ts";
import { sourceFiles } from "./source-files.ts";

type Outside = "nothing" | "packages" | "packages and Node";

interface Layer {
  readonly name: string;
  /** Which files are in it: the first layer that matches wins. */
  readonly files: RegExp;
  /** Which layers it may import from, itself included where it may. */
  readonly imports: readonly string[];
  /** What it may import that isn't a file of the project. */
  readonly outside: Outside;
}

const LAYERS: readonly Layer[] = [
  { name: "data", files: /^todo\/contract\/data\.ts$/, imports: [], outside: "nothing" },
  { name: "contract", files: /^todo\/contract\//, imports: ["data", "contract"], outside: "nothing" },
  { name: "report", files: /^report\//, imports: ["report"], outside: "packages" },
  { name: "servers", files: /^servers\//, imports: ["data", "servers"], outside: "packages and Node" },
  {
    name: "harness",
    files: /^harness\//,
    imports: ["data", "contract", "report", "harness"],
    outside: "packages and Node",
  },
  {
    name: "runner",
    files: /^runner\//,
    imports: ["data", "contract", "report", "harness", "runner"],
    outside: "packages and Node",
  },
  {
    name: "browser",
    files: /^browser\//,
    imports: ["data", "contract", "report", "harness", "browser"],
    outside: "packages and Node",
  },
  {
    name: "commands",
    files: /^(?:commands|todo\/(?:runner|browser))\//,
    imports: ["data", "contract", "report", "harness", "runner", "browser", "commands"],
    outside: "packages and Node",
  },
];

/** Tests see both sides of every border. */
const TEST = /\.(?:test|smoke)\.ts$|\/test\/|^servers\/_zoo\//;
const CODE = /\.(?:ts|tsx|mjs|js|jsx|vue|svelte|astro)$/;

const files = (await sourceFiles(PROJECT_ROOT, ["."])).filter((file) =>
  existsSync(path.join(PROJECT_ROOT, file)),
);
const read = (file: string): string => readFileSync(path.join(PROJECT_ROOT, file), "utf8");

const layerOf = (file: string): Layer | undefined => LAYERS.find((layer) => layer.files.test(file));

/** What a module imports: static imports, re-exports, and dynamic imports of a literal. */
function importsOf(source: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  const patterns = [
    /^\s*(?:import|export)\s[^"'`;]*?\bfrom\s*["']([^"']+)["']/gm,
    /^\s*import\s*["']([^"']+)["']/gm,
    /\bimport\s*\(\s*["']([^"']+)["']/g,
    /\bnew URL\(\s*["'](\.[^"']+\.ts)["'],\s*import\.meta\.url/g,
  ];
  return patterns.flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[1] as string));
}

/** Why a file may not import this, or null. */
function fault(file: string, layer: Layer, specifier: string): string | null {
  if (!specifier.startsWith(".")) return outsideFault(layer, specifier);
  const target = path.posix.join(path.posix.dirname(file), specifier);
  const targetLayer = layerOf(target);
  if (targetLayer === undefined) return target.startsWith("..") ? "lies outside the project" : null;
  if (!layer.imports.includes(targetLayer.name)) return `${layer.name} may not import ${targetLayer.name}`;
  const [own, other] = [file, target].map((name) => name.split("/")[1] as string) as [string, string];
  const anotherAdapter =
    layer.name === "servers" && targetLayer.name === "servers" && other !== own && !other.startsWith("_");
  return anotherAdapter ? "an adapter may not import another" : null;
}

function outsideFault(layer: Layer, specifier: string): string | null {
  if (layer.outside === "nothing") return `${layer.name} has no dependency`;
  if (layer.outside === "packages" && isBuiltin(specifier))
    return `${layer.name} is pure and uses nothing of Node`;
  return null;
}

test("the import scanner sees every form", () => {
  const source = `
import a from "./a.ts";
import type { B } from './b.ts';
import {
  c,
} from "./c.ts";
import "./d.ts";
export { e } from "./e.ts";
export * from "./f.ts";
const g = await import("./g.ts");
const h = new URL("./h.ts", import.meta.url);
// import x from "./no.ts";
/* import x from "./no.ts"; */
const text = "from './no.ts'";
`;
  assert.deepEqual(
    importsOf(source).sort(),
    ["a", "b", "c", "d", "e", "f", "g", "h"].map((name) => `./${name}.ts`),
  );
});

test("the table refuses what it should", () => {
  const refused = (file: string, specifier: string) =>
    fault(file, layerOf(file) as Layer, specifier) !== null;
  assert.ok(refused("todo/contract/data.ts", "./model.ts"));
  assert.ok(refused("todo/contract/model.ts", "zod"));
  assert.ok(refused("report/rows.ts", "node:fs"));
  assert.ok(refused("report/rows.ts", "../harness/files.ts"));
  assert.ok(refused("harness/build.ts", "../runner/run.ts"));
  assert.ok(refused("runner/run.ts", "../browser/run.ts"));
  assert.ok(refused("servers/one/app.ts", "../../todo/contract/model.ts"));
  assert.ok(refused("servers/one/app.ts", "../two/app.ts"));
  assert.ok(refused("commands/build.ts", "../servers/one/app.ts"));
  assert.ok(!refused("servers/one/app.ts", "../../todo/contract/data.ts"));
  assert.ok(!refused("servers/one/app.ts", "../_shared/app.ts"));
  assert.ok(!refused("runner/run.ts", "../harness/files.ts"));
  assert.ok(!refused("report/rows.ts", "zod"));
});

test("arrows between layers go one way", () => {
  const faults = files
    .filter((file) => CODE.test(file) && !TEST.test(file))
    .flatMap((file) => {
      const layer = layerOf(file);
      if (layer === undefined) return [];
      return importsOf(read(file)).flatMap((specifier) => {
        const why = fault(file, layer, specifier);
        return why === null ? [] : [`${file}: ${specifier}: ${why}`];
      });
    });
  assert.deepEqual(faults, []);
});

test("all code is in a layer", () => {
  assert.deepEqual(
    files.filter((file) => CODE.test(file) && layerOf(file) === undefined),
    [],
  );
});

/** Folders of servers/ that every adapter shares, so that the suite may know them. */
const INFRASTRUCTURE = new Set(["_kit", "_template", "_trivial", "_zoo"]);
/** Names that are common words too: these count only where they stand as a name, between quotes, slashes or commas. */
const COMMON_WORDS = new Set(["next", "solid", "lit"]);
/** Where adapters may be named: their own folders, prose, tests, results, and what pnpm writes. */
const MAY_NAME = /^(?:servers|docs|results|schemas\/samples)\/|\.md$|^(?:package\.json|pnpm-lock\.yaml)$/;

function namePattern(name: string): RegExp {
  const delimited = `(?<=["'\`/,])${name}(?=["'\`/,])`;
  return COMMON_WORDS.has(name) ? new RegExp(delimited) : new RegExp(`(?<![\\w-])${name}(?![\\w-])`, "i");
}

test("nothing outside servers/, docs and tests names an adapter or a family", () => {
  const names = readdirSync(SERVERS_DIR, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !INFRASTRUCTURE.has(entry.name))
    .map((entry) => entry.name.replace(/^_/, ""));
  assert.ok(names.length > 0);
  const patterns = [...new Set(names)].map((name) => ({ name, pattern: namePattern(name) }));
  const faults = files
    .filter((file) => !MAY_NAME.test(file) && !TEST.test(file))
    .flatMap((file) =>
      read(file)
        .split("\n")
        .flatMap((line, index) =>
          patterns
            .filter(({ pattern }) => pattern.test(line))
            .map(({ name }) => `${file}:${index + 1} names ${name}: ${line.trim()}`),
        ),
    );
  assert.deepEqual(faults, []);
});
