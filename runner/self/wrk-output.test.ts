import assert from "node:assert/strict";
import { test } from "node:test";
import { parseWrk } from "./wrk-output.ts";

const output = (line: string): string => `Running 5s test @ http://127.0.0.1:1/\n  2 threads\n${line}\n`;
const printed = (failed: number): string =>
  output(
    `ssr-todo-bench {"requests":20000,"durationUs":5000000,"failed":${failed},"p50Us":15010,"p95Us":21300}`,
  );

test("rate and percentiles are those that the script printed", () => {
  assert.deepEqual(parseWrk(printed(0)), { rps: 4000, p50Ms: 15.01, p95Ms: 21.3 });
});

test("failed requests, and output without figures, are no turn", () => {
  const refused = { name: "BenchError", code: "load-failed" };
  assert.throws(() => parseWrk(printed(3)), { ...refused, message: /3 failed requests/ });
  assert.throws(() => parseWrk(output("Requests/sec: 4000")), refused);
  assert.throws(() => parseWrk(output('ssr-todo-bench {"requests":')), refused);
  assert.throws(() => parseWrk(""), refused);
});
