/** One change of what is measured at a time. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";

const ALONE = path.join(import.meta.dirname, "alone.ts");
let folder = "";

before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "alone-"));
});
after(() => rm(folder, { recursive: true, force: true }));

async function start(source: string) {
  const script = path.join(folder, `${Math.random()}.mjs`);
  await writeFile(script, source);
  const relative = path.relative(path.resolve(import.meta.dirname, ".."), script);
  return spawn(process.execPath, [ALONE, relative, "an argument"], { stdio: ["ignore", "pipe", "pipe"] });
}

test("the script gets its arguments, and its exit code is the command's", async () => {
  const child = await start("console.log(process.argv.slice(2).join()); process.exitCode = 7;");
  const [[code], stdout] = await Promise.all([once(child, "exit"), text(child.stdout)]);
  assert.deepEqual([code, stdout], [7, "an argument\n"]);
});

test("a second one is refused while the first runs; a signal ends the first", async () => {
  const first = await start("setInterval(() => {}, 1000); console.log('runs');");
  const exited = once(first, "exit");
  try {
    await once(first.stdout, "data");
    const second = await start("console.log('ran');");
    const [[code], stdout, stderr] = await Promise.all([
      once(second, "exit"),
      text(second.stdout),
      text(second.stderr),
    ]);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, /another change of what is measured is going on/);
  } finally {
    first.kill("SIGTERM");
  }
  assert.deepEqual(await exited, [143, null]);
});
