/** What `wrk` is asked to print at its end, and what that says. */
import { z } from "zod";
import { BenchError } from "../../harness/errors.ts";

const MARK = "ssr-todo-bench ";

/** Its own summary has no P95, and rounds: this prints the raw figures as one line of JSON (wrk's SCRIPTING). */
export const LUA_SCRIPT = `function done(summary, latency, requests)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format('${MARK}{"requests":%d,"durationUs":%d,"failed":%d,"p50Us":%d,"p95Us":%d}\\n',
    summary.requests, summary.duration, failed, latency:percentile(50), latency:percentile(95)))
end
`;

const printedSchema = z.strictObject({
  requests: z.int().positive(),
  durationUs: z.int().positive(),
  failed: z.int().nonnegative(),
  p50Us: z.int().positive(),
  p95Us: z.int().positive(),
});

export interface WrkFigures {
  readonly rps: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

const US_PER_MS = 1000;
const US_PER_S = 1e6;

/** @param stdout all that wrk printed. @throws BenchError `load-failed` where the figures aren't there or answers failed */
export function parseWrk(stdout: string): WrkFigures {
  const line = stdout.split("\n").find((text) => text.startsWith(MARK));
  const printed = printedSchema.safeParse(line === undefined ? null : parseJson(line.slice(MARK.length)));
  if (!printed.success) throw unusable(`printed no figures:\n${stdout}`);
  const { requests, durationUs, failed, p50Us, p95Us } = printed.data;
  if (failed > 0) throw unusable(`had ${failed} failed requests beside ${requests} answers`);
  return {
    rps: (requests * US_PER_S) / durationUs,
    p50Ms: p50Us / US_PER_MS,
    p95Ms: p95Us / US_PER_MS,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function unusable(what: string): BenchError {
  return new BenchError({
    stage: "measure",
    code: "load-failed",
    message: `wrk ${what}`,
    hint: "Run wrk by hand; the suite was tried with wrk 4.1.",
  });
}
