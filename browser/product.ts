/** A product's server for one visit: running, and what it says it is held against what was built. */
import type { BuiltAdapter } from "../harness/build.ts";
import { BenchError } from "../harness/errors.ts";
import { launchServer } from "../harness/launch.ts";
import { judgeLoaded, readLoaded } from "../harness/loaded.ts";
import type { RunMark } from "../harness/mark.ts";
import type { ResponseMode } from "../report/schema.ts";
import { checkBenchInfo, parseBenchInfo } from "../todo/contract/bench-info.ts";
import type { Problem } from "../todo/contract/problem.ts";
import type { FrontTarget } from "./proxy/front.ts";

export interface Product {
  readonly target: FrontTarget;
  /** As the server reports it. */
  readonly runtimeVersion: string;
  /** Aborts with a BenchError `server-exit` when it ends before it was told to. */
  readonly gone: AbortSignal;
  stop(): Promise<unknown>;
}

export interface ProductOptions {
  readonly built: BuiltAdapter;
  readonly mode: ResponseMode;
  readonly mark: RunMark;
  readonly signal: AbortSignal;
}

/**
 * Starts it on whatever CPUs there are: the browser is what is measured.
 * @throws BenchError as `launchServer` does; `contract` where it isn't the server that was built
 */
export async function startProduct({ built, mode, mark, signal }: ProductOptions): Promise<Product> {
  const { manifest } = built;
  const server = await launchServer({ manifest, mode, cpu: null, mark, signal });
  try {
    const { host, port } = server.target;
    const reply = await fetch(`http://${host}:${port}/bench/info`, {
      signal: AbortSignal.any([signal, server.gone]),
    });
    const parsed = parseBenchInfo(new Uint8Array(await reply.arrayBuffer()));
    if (parsed.info === null) throw anotherServer(manifest.id, parsed.problems);
    const { info } = parsed;
    const expected = { adapter: manifest.id, responseMode: mode, runtime: manifest.runtime };
    const problems = [
      ...checkBenchInfo(info, expected),
      ...judgeLoaded(built, info, readLoaded(manifest, server.pids(), info)),
    ];
    if (problems.length > 0) throw anotherServer(manifest.id, problems);
    const { target, gone } = server;
    return { target, gone, runtimeVersion: info.runtimeVersion, stop: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw server.gone.aborted && !signal.aborted ? server.gone.reason : error;
  }
}

function anotherServer(id: string, problems: readonly Problem[]): BenchError {
  const lines = problems.map(({ rule, expected, seen }) => `${rule}: expected ${expected}, seen ${seen}`);
  return new BenchError({
    stage: "start",
    code: "contract",
    message: `the server isn't the one that was built: ${lines.join("; ")}`,
    hint: `List all that is wrong with it: npm run verify -- --only ${id}`,
  });
}
