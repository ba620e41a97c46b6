import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import {
  parseHardLimit,
  parseKibField,
  parseProcStat,
  processesWithEnv,
  processTree,
  readProcStat,
  threadsOf,
  treeTicks,
} from "./proc.ts";

test("stat is parsed after its last bracket, whatever the name holds", () => {
  const stat = parseProcStat(
    "4242 (a) name (b) R 7 4242 4242 0 -1 4194560 100 0 0 0 12 34 5 6 20 0 11 0 987654 1000 200 18446744073709551615 1 2 0 0 0 0 0 16781312 134235650 0 0 0 17 3 0 0 0 0 0",
  );
  assert.deepEqual(stat, {
    state: "R",
    parentPid: 7,
    userTicks: 12,
    systemTicks: 34,
    reapedUserTicks: 5,
    reapedSystemTicks: 6,
    startTicks: 987654,
    processor: 3,
  });
});

test("a field in kB is bytes, and a field that isn't there is null", () => {
  const text = "Name:\tnode\nVmHWM:\t   2048 kB\nVmRSS:\t   1024 kB\n";
  assert.equal(parseKibField(text, "VmRSS"), 1024 * 1024);
  assert.equal(parseKibField(text, "Pss"), null);
});

test("a hard limit is a number, and null where there is none", () => {
  const text =
    "Limit                     Soft Limit           Hard Limit           Units     \nMax open files            20000                30000                files     \nMax realtime timeout      unlimited            unlimited            us        \n";
  assert.equal(parseHardLimit(text, "Max open files"), 30_000);
  assert.equal(parseHardLimit(text, "Max realtime timeout"), null);
  assert.equal(parseHardLimit(text, "Max nice priority"), null);
});

test("a process's tree holds its descendants, and none of it once they have ended", async () => {
  const mark = `PROC_TEST_MARK=${process.pid}`;
  const program = `
    const child = require("node:child_process").spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
    console.log(child.pid);
    process.stdin.resume();
    process.stdin.on("end", () => child.stdin.end());`;
  const parent = spawn(process.execPath, ["-e", program], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, PROC_TEST_MARK: String(process.pid) },
  });
  const [line] = (await once(parent.stdout, "data")) as [Buffer];
  const parentPid = parent.pid as number;
  const childPid = Number(String(line).trim());
  assert.deepEqual(processTree(parentPid), [parentPid, childPid]);
  assert.deepEqual(processesWithEnv(mark).sort(), [parentPid, childPid].sort());
  assert.ok(threadsOf(parentPid).includes(parentPid));
  assert.ok(treeTicks([parentPid, childPid]).user > 0);
  parent.stdin.end();
  await once(parent, "exit");
  assert.deepEqual(processTree(parentPid), []);
  assert.equal(readProcStat(parentPid), null);
  assert.deepEqual(treeTicks([parentPid]), { user: 0, system: 0 });
});
