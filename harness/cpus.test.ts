import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { test } from "node:test";
import {
  allowedCpus,
  assertPinned,
  assertRanOn,
  assignCpus,
  parseAllowedCpus,
  parseCpuList,
  parseCpuTicks,
  ticksBetween,
} from "./cpus.ts";
import { BenchError } from "./errors.ts";

test("the kernel's CPU lists", () => {
  assert.deepEqual(parseCpuList("0-2,5\n"), [0, 1, 2, 5]);
  assert.deepEqual(parseCpuList("3"), [3]);
  assert.deepEqual(parseCpuList(""), []);
  assert.deepEqual(parseAllowedCpus("Name:\tnode\nCpus_allowed_list:\t1,4-5\nMems_allowed:\t1\n"), [1, 4, 5]);
});

test("the server has the first CPU, the others keep off it and off its sibling", () => {
  assert.deepEqual(assignCpus([0, 1, 2, 3], [0, 2]), { server: 0, others: [1, 3] });
  assert.deepEqual(assignCpus([4, 6], [4]), { server: 4, others: [6] }, "CPUs that don't start at 0");
  assert.deepEqual(assignCpus([0, 1], [0, 1]), { server: 0, others: [1] }, "no choice but the sibling");
  assert.deepEqual(assignCpus([3], [3]), { server: 3, others: [3] }, "one CPU is shared");
  assert.throws(
    () => assignCpus([], []),
    (error) => error instanceof BenchError && error.code === "no-cpu",
  );
});

test("a thread that may run elsewhere is named", () => {
  const allowed = allowedCpus();
  assert.ok(assertPinned([process.pid], allowed, "start").threads > 0);
  assert.throws(
    () => assertPinned([process.pid], [4095], "measure"),
    (error) =>
      error instanceof BenchError &&
      error.code === "affinity" &&
      error.message.includes("CPU 4095") === false &&
      error.message.includes("4095"),
  );
});

test("ticks are differences of each CPU's own line, and a counter that stepped back is 0", () => {
  const before = parseCpuTicks(
    "cpu  9 9 9 9 9 9 9 9 0 0\ncpu0 10 0 5 100 7 0 1 2 0 0\ncpu1 20 0 0 200 0 0 0 0 0 0\n",
  );
  const after = parseCpuTicks(
    "cpu  9 9 9 9 9 9 9 9 0 0\ncpu0 15 1 9 150 6 0 2 4 0 0\ncpu1 20 0 0 260 0 0 0 0 0 0\n",
  );
  assert.deepEqual(ticksBetween(before, after, [0]), {
    cpus: [0],
    user: 5,
    nice: 1,
    system: 4,
    idle: 50,
    iowait: 0,
    irq: 0,
    softirq: 1,
    steal: 2,
  });
  assert.equal(ticksBetween(before, after, [0, 1]).idle, 110);
});

test("where threads ran last is read of every thread, and of none that is gone", () => {
  const ranOn = (cpu: number) => () => assertRanOn([process.pid, 2 ** 30], cpu, "measure");
  // No machine has so many.
  assert.throws(ranOn(2 ** 20), (error) => error instanceof BenchError && error.code === "affinity");
  const child = spawnSync("taskset", [
    ...["-c", String(allowedCpus()[0]), process.execPath, "--input-type=module", "--eval"],
    `import { assertRanOn } from ${JSON.stringify(path.join(import.meta.dirname, "cpus.ts"))};
     assertRanOn([process.pid], ${allowedCpus()[0]}, "measure");`,
  ]);
  assert.equal(child.status, 0, String(child.stderr));
});
