/** The stages of `npm test`, each of them a stage that can stand alone. */
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { buildAdapters } from "../harness/build.ts";
import { findChromium } from "../harness/chromium.ts";
import { examine } from "../harness/doctor.ts";
import { BenchError } from "../harness/errors.ts";
import { discoverAdapters } from "../harness/manifest.ts";
import { readIfPresent } from "../harness/present.ts";
import { PROJECT_ROOT, SERVERS_DIR } from "../harness/project.ts";
import { sourceFiles } from "../harness/source-files.ts";
import { commandPath } from "../harness/tools.ts";
import { BROWSER_AND_DISPLAY } from "./browser-needs.ts";
import { type Outcome, runProgram, type Stage, type StageContext } from "./stages.ts";

const UNIT_TEST_LIMIT_MS = 120_000;
const SMOKE_TEST_LIMIT_MS = 300_000;
const QUICK_RUN = [
  "--runtime-mode",
  "quick",
  "--probe-seconds",
  "1",
  "--warm-seconds",
  "1",
  "--seconds",
  "2",
];

const here = { cwd: PROJECT_ROOT, env: { PATH: commandPath(PROJECT_ROOT), NO_COLOR: "1" } };

const PREREQUISITES: Stage = {
  name: "prerequisites",
  async run() {
    const checks = (await examine()).filter(({ needed }) => needed);
    const missing = checks.filter(({ status }) => status === "missing");
    const output = missing.map(({ name, found, hint }) => `${name}: ${found}\n  ${hint}`).join("\n");
    return { passed: checks.length - missing.length, failed: missing.length, output };
  },
};

const FORMAT_AND_LINT: Stage = {
  name: "format and lint",
  run: (context) => runAsOne(["biome", "check"], context),
};

/** The suite's own files, then each folder of servers/ that has its own TypeScript project. */
const TYPES: Stage = {
  name: "types",
  async run(context) {
    const folders = await serverFoldersWith("tsconfig.json");
    const outcomes: Outcome[] = [];
    for (const folder of [PROJECT_ROOT, ...folders]) {
      outcomes.push(await runAsOne(await typeChecker(folder), context));
    }
    return joined(outcomes);
  },
};

/** A folder's own `typecheck` script where it has one, for components in files that TypeScript itself doesn't read. */
async function typeChecker(folder: string): Promise<[string, ...string[]]> {
  const own = await readIfPresent(path.join(folder, "package.json"));
  const { scripts = {} } = JSON.parse(own ?? "{}") as { readonly scripts?: Readonly<Record<string, string>> };
  return "typecheck" in scripts
    ? ["pnpm", "--dir", folder, "run", "typecheck"]
    : ["tsc", "--noEmit", "--project", folder];
}

const UNIT_TESTS: Stage = {
  name: "layer rules, published schemas and unit tests",
  run: (context) => runNodeTests(/\.test\.ts$/, [`--test-timeout=${UNIT_TEST_LIMIT_MS}`], context),
};

const BUILDS: Stage = {
  name: "builds",
  async run({ signal, onLine }) {
    const manifests = await discoverAdapters(SERVERS_DIR);
    let failed = 0;
    try {
      await buildAdapters(manifests, {
        signal,
        onEvent: (event) => {
          if (event.kind === "failed") failed += 1;
          if (event.kind === "output") onLine(`${event.adapter}: ${event.line}`);
        },
      });
    } catch (error) {
      if (!(error instanceof BenchError) || failed === 0) throw error;
      return { passed: manifests.length - failed, failed, output: `${error.message}\n  ${error.hint}` };
    }
    return { passed: manifests.length, failed: 0, output: "" };
  },
};

const RUST_TESTS: Stage = {
  name: "Rust tests",
  needs: ["builds"],
  async run(context) {
    const outcomes: Outcome[] = [];
    for (const folder of await serverFoldersWith("Cargo.toml")) {
      // The release profile, because the builds have compiled the dependencies in it already.
      const ran = await runProgram(["cargo", "test", "--release", "--locked"], context, {
        ...here,
        cwd: folder,
      });
      outcomes.push(cargoOutcome(ran.exitCode, ran.output));
    }
    return joined(outcomes);
  },
};

/** One at a time: they start servers and browsers, and wait for what they do. */
const SMOKE_TESTS: Stage = {
  name: "smoke tests",
  needs: ["builds", BROWSER_AND_DISPLAY.name],
  run: (context) =>
    runNodeTests(/\.smoke\.ts$/, ["--test-concurrency=1", `--test-timeout=${SMOKE_TEST_LIMIT_MS}`], context, {
      CHROMIUM_PATH: findChromium()?.file ?? "",
    }),
};

const CONTRACT: Stage = {
  name: "contract, every adapter in both modes",
  needs: ["builds"],
  run: (context) => runAsOne([process.execPath, "commands/verify.ts"], context),
};

const QUICK_RUN_STAGE: Stage = {
  name: "quick run of every adapter, and its report verified",
  needs: ["builds"],
  run: (context) => runAndVerify(["todo/runner/cli.mjs", ...QUICK_RUN], context),
};

const BROWSER_RUN_STAGE: Stage = {
  name: "browser run of every adapter, and its report verified",
  needs: ["builds", BROWSER_AND_DISPLAY.name],
  run: (context) => runAndVerify(["todo/browser/cli.mjs"], context),
};

/** A command that writes a report, then the check of it. */
async function runAndVerify(command: readonly string[], context: StageContext): Promise<Outcome> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "ssr-todo-bench-test-"));
  try {
    const report = path.join(folder, "report.json");
    const run = await runAsOne([process.execPath, ...command, "--output", report], context);
    if (!existsSync(report)) return run;
    return joined([run, await runAsOne([process.execPath, "commands/results-verify.ts", report], context)]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Formatting, lint and types only: what `npm run check` runs. */
export const CHECK_STAGES: readonly Stage[] = [FORMAT_AND_LINT, TYPES];

/** All that `npm test` runs, the quick ones first. */
export const TEST_STAGES: readonly Stage[] = [
  PREREQUISITES,
  ...CHECK_STAGES,
  UNIT_TESTS,
  BUILDS,
  RUST_TESTS,
  BROWSER_AND_DISPLAY,
  SMOKE_TESTS,
  CONTRACT,
  QUICK_RUN_STAGE,
  BROWSER_RUN_STAGE,
];

/** A program whose exit code is the whole verdict. */
async function runAsOne(argv: readonly [string, ...string[]], context: StageContext): Promise<Outcome> {
  const { exitCode, output } = await runProgram(argv, context, here);
  return { passed: exitCode === 0 ? 1 : 0, failed: exitCode === 0 ? 0 : 1, output };
}

async function runNodeTests(
  pattern: RegExp,
  flags: readonly string[],
  context: StageContext,
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const files = (await sourceFiles(PROJECT_ROOT, ["."])).filter(
    (file) => pattern.test(file) && existsSync(path.join(PROJECT_ROOT, file)),
  );
  if (files.length === 0) return { passed: 0, failed: 1, output: `no file matches ${pattern}` };
  const argv: [string, ...string[]] = [
    process.execPath,
    "--test",
    "--test-reporter=spec",
    ...flags,
    ...files,
  ];
  const { exitCode, output } = await runProgram(argv, context, {
    ...here,
    env: { ...here.env, ...env },
  });
  return nodeTestOutcome(exitCode, output);
}

/** Counts from the summary that `node --test` ends with. Nothing passed, or no summary, is a failure. */
export function nodeTestOutcome(exitCode: number, output: string): Outcome {
  const count = (name: string): number =>
    Number(new RegExp(`^ℹ ${name} (\\d+)$`, "m").exec(output)?.[1] ?? 0);
  const passed = count("pass");
  const failed = count("fail") + count("cancelled");
  const unexplained = failed === 0 && (exitCode !== 0 || passed === 0);
  return { passed, failed: unexplained ? 1 : failed, output: failuresOnly(output) };
}

/** What the spec reporter repeats at its end, where something failed. */
function failuresOnly(output: string): string {
  const start = output.indexOf("✖ failing tests:");
  return start === -1 ? output : output.slice(start);
}

/** Counts from the summaries that `cargo test` prints for each of its test binaries. */
export function cargoOutcome(exitCode: number, output: string): Outcome {
  const results = [...output.matchAll(/^test result: .*?(\d+) passed; (\d+) failed/gm)];
  const passed = results.reduce((sum, [, count]) => sum + Number(count), 0);
  const failed = results.reduce((sum, [, , count]) => sum + Number(count), 0);
  const unexplained = failed === 0 && (exitCode !== 0 || passed === 0);
  return { passed, failed: unexplained ? 1 : failed, output };
}

function joined(outcomes: readonly Outcome[]): Outcome {
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    failed: outcomes.reduce((sum, { failed }) => sum + failed, 0),
    output: outcomes
      .filter(({ failed }) => failed > 0)
      .map(({ output }) => output)
      .join("\n"),
  };
}

/** Absolute paths of the folders directly below servers/ that hold such a file. */
async function serverFoldersWith(name: string): Promise<string[]> {
  const folders = (await readdir(SERVERS_DIR)).sort().map((folder) => path.join(SERVERS_DIR, folder));
  return folders.filter((folder) => existsSync(path.join(folder, name)));
}
