/** Ctrl-C in the middle of a visit: everything that was started is gone, and the journal is there. */
import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { execa } from "execa";
import type { BrowserRunEvent } from "../../browser/events.ts";
import { processTree, readProcStat } from "../../harness/proc.ts";
import { PROJECT_ROOT } from "../../harness/project.ts";

const CLI = path.join(PROJECT_ROOT, "todo", "browser", "cli.mjs");

async function anyAdapter(): Promise<string> {
  const { stdout } = await execa(process.execPath, [CLI, "--list", "--json"]);
  return (JSON.parse(stdout.split("\n")[0] ?? "") as { id: string }).id;
}

test("Ctrl-C leaves no browser, display, front or server, exits with 130, and keeps the journal", async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "browser-interrupt-"));
  try {
    const args = [CLI, "--only", await anyAdapter(), "--output", path.join(folder, "report.json"), "--json"];
    const child = execa(process.execPath, args, { reject: false });
    let started: number[] = [];
    for await (const line of child) {
      const event = JSON.parse(line) as BrowserRunEvent;
      // By then the server, the display, the front and the browser are all there.
      if (event.type !== "stage" || event.stage !== "open" || started.length > 0) continue;
      started = processTree(child.pid as number).filter((pid) => pid !== child.pid);
      child.kill("SIGINT");
    }
    const { exitCode, stderr } = await child;
    assert.equal(exitCode, 130, stderr);
    assert.ok(started.length > 3, "it had started a server, a display and a browser");
    assert.deepEqual(
      started.filter((pid) => readProcStat(pid) !== null),
      [],
      "these are left",
    );
    assert.deepEqual(await readdir(folder), ["report.json.journal.ndjson"]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
