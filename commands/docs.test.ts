/** The README and docs/ say what is so: scripts, links and flags that they name are there. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { PROJECT_ROOT } from "../harness/project.ts";

const read = (file: string): string => readFileSync(path.join(PROJECT_ROOT, file), "utf8");

const FILES = [
  "README.md",
  ...readdirSync(path.join(PROJECT_ROOT, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

const SCRIPTS = new Set(Object.keys((JSON.parse(read("package.json")) as { scripts: object }).scripts));

/** What npm and pnpm do by themselves. */
const OWN_COMMANDS = new Set(["install", "run"]);
/** Scripts that pnpm has commands of the same name for, which it prefers. */
const SHADOWED_BY_PNPM = new Set(["doctor", "setup"]);

/** In backticks or at the start of a line of a code block: prose such as "pnpm comes with" isn't a command. */
const COMMAND = /(?:`|^)(?:npx )?(npm|pnpm)( run)?(?: --silent)? ([a-z][a-z:-]*)/gm;

test("every script that is named exists", () => {
  const wrong = FILES.flatMap((file) =>
    [...read(file).matchAll(COMMAND)].flatMap(([text, program, run, name = ""]) => {
      if (run === undefined && OWN_COMMANDS.has(name)) return [];
      const shadowed = program === "pnpm" && run === undefined && SHADOWED_BY_PNPM.has(name);
      return SCRIPTS.has(name) && !shadowed ? [] : [`${file}: ${text}`];
    }),
  );
  assert.deepEqual(wrong, []);
});

test("the README names every script", () => {
  const named = new Set([...read("README.md").matchAll(COMMAND)].map(([, , , name]) => name));
  assert.deepEqual(
    [...SCRIPTS].filter((name) => !named.has(name)),
    [],
  );
});

/** As GitHub makes them of headings. */
function anchorsOf(text: string): Set<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

test("every relative link leads to a file, and to a heading in it", () => {
  const broken = FILES.flatMap((file) =>
    [...read(file).matchAll(/\]\((?![a-z]+:)([^)#]*)(?:#([^)]+))?\)/g)].flatMap(([, target = "", anchor]) => {
      const linked = target === "" ? file : path.posix.join(path.posix.dirname(file), target);
      if (!existsSync(path.join(PROJECT_ROOT, linked))) return [`${file}: ${linked} isn't there`];
      if (anchor === undefined || anchorsOf(read(linked)).has(anchor)) return [];
      return [`${file}: ${linked} has no heading #${anchor}`];
    }),
  );
  assert.deepEqual(broken, []);
});

const longFlags = (text: string): string[] =>
  [...new Set([...text.matchAll(/--[a-z][a-z-]*/g)].map(([flag]) => flag))].sort();

for (const [heading, cli] of [
  ["The load run", "todo/runner/cli.mjs"],
  ["The browser run", "todo/browser/cli.mjs"],
] as const) {
  test(`the README's table of flags under "${heading}" is that of the command`, () => {
    const section =
      read("README.md")
        .split(`\n### ${heading}\n`)[1]
        ?.split(/\n##+ /)[0] ?? "";
    const table = section
      .split("\n")
      .filter((line) => line.startsWith("| `--"))
      .join("\n");
    const help = execFileSync(process.execPath, [path.join(PROJECT_ROOT, cli), "--help"], {
      encoding: "utf8",
    });
    const options = help.split("\nOptions:\n")[1]?.split("\nExamples:")[0] ?? "";
    const offered = longFlags(
      options
        .split("\n")
        .map((line) => /^ {2}(?:-\w, )?--[a-z-]+/.exec(line)?.[0] ?? "")
        .join("\n"),
    );
    assert.ok(offered.length > 1, help);
    assert.deepEqual(longFlags(table), offered);
  });
}
