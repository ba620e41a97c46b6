/** What the browser run's command says to bad input: before any visit, with the exit code and the next thing to do. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { execa } from "execa";
import { PROJECT_ROOT } from "../../harness/project.ts";

const CLI = path.join(PROJECT_ROOT, "todo", "browser", "cli.mjs");

let folder: string;
let adapter: string;

before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "browser-main-"));
  const { stdout } = await run(["--list", "--json"]);
  adapter = (JSON.parse(stdout.split("\n")[0] ?? "") as { id: string }).id;
});

after(async () => {
  await rm(folder, { recursive: true });
});

function run(args: readonly string[], env: Record<string, string> = {}) {
  return execa(process.execPath, [CLI, ...args], { reject: false, env });
}

describe("the browser run's command", () => {
  it("exits 2 for wrong use, with the next thing to do", async () => {
    const wrong: [RegExp, readonly string[]][] = [
      [/there is no adapter "nothing"/, ["--only", "nothing"]],
      [/takes no --only and --skip/, ["--official", "--only", adapter]],
      [/takes no --only and --skip/, ["--official", "--skip", adapter]],
      [/at least 10 rounds, not 9/, ["--official", "--rounds", "9"]],
      [/takes no --headless/, ["--official", "--headless"]],
      [/response mode progressive/, ["--official", "--response-mode", "complete"]],
      [/It must be a whole number above 0/, ["--rounds", "0"]],
      [/Did you mean --rounds\?/, ["--round", "1"]],
      [/cannot be used with option '--headed'/, ["--headless", "--headed"]],
      [/name of an official, unfiltered report/, ["--output", "ssr-todo-official.json"]],
    ];
    for (const [said, args] of wrong) {
      const { exitCode, stderr, stdout } = await run(args);
      assert.match(stderr, said, args.join(" "));
      assert.equal(exitCode, 2, args.join(" "));
      assert.equal(stdout, "");
    }
  });

  it("exits 1 where there is no journal to go on from", async () => {
    const { exitCode, stderr } = await run(["--resume", path.join(folder, "none.json")]);
    assert.equal(exitCode, 1);
    assert.match(stderr, /no journal to go on from/);
  });

  it("exits 1 before the first visit where there is no browser, with the remedy", async () => {
    const file = path.join(folder, "no-browser.json");
    const args = ["--only", adapter, "--headless", "--output", file];
    const { exitCode, stderr, stdout } = await run(args, { CHROMIUM_PATH: path.join(folder, "chromium") });
    assert.equal(exitCode, 1);
    assert.match(stderr, /CHROMIUM_PATH names no program.*\n.*Install one/);
    assert.equal(stdout, "");
    assert.deepEqual(await readdir(folder), [], "neither report nor journal");
  });

  it("exits 1 before the first visit where there is no display and none can be started, with the remedy", async () => {
    const file = path.join(folder, "no-display.json");
    const env = { PATH: path.dirname(process.execPath), DISPLAY: "" };
    const { exitCode, stderr, stdout } = await run(["--only", adapter, "--output", file], env);
    assert.equal(exitCode, 1);
    assert.match(stderr, /Xvfb isn't installed\n.*Install Xvfb.*--headless/);
    assert.equal(stdout, "");
    assert.deepEqual(await readdir(folder), [], "neither report nor journal");
  });

  it("shows the plan with --dry-run: its order by the seed, and where the report would go", async () => {
    const args = ["--only", adapter, "--rounds", "3", "--seed", "5", "--dry-run", "--json"];
    const { exitCode, stdout } = await run(args);
    assert.equal(exitCode, 0);
    const { plan, visits, file } = JSON.parse(stdout) as {
      plan: { seed: number; headed: boolean };
      visits: { round: number }[];
      file: string;
    };
    assert.deepEqual([plan.seed, plan.headed], [5, true]);
    assert.deepEqual(
      visits.map(({ round }) => round),
      [1, 2, 3],
    );
    assert.match(path.relative(PROJECT_ROOT, file), /^results\/runs\/ssr-browser-/);
    assert.equal(existsSync(file), false);
  });
});
