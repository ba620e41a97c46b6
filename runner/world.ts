/** The real world behind a visit's ports: processes, sockets, clocks. */
import { assertPinned } from "../harness/cpus.ts";
import { BenchError } from "../harness/errors.ts";
import { assertOwnPort, launchServer } from "../harness/launch.ts";
import type { RunMark } from "../harness/mark.ts";
import type { KeptBodies, Problem, RunPlan, StageName } from "../report/schema.ts";
import { checkKeptReply } from "./judge-page.ts";
import { loadGenerator } from "./load/drive.ts";
import type { KeptReply } from "./load/port.ts";
import { sampleWindow } from "./sample.ts";
import { verifyServer } from "./verify.ts";
import type { Cell, Ports } from "./visit.ts";

/** @param onStage told when a stage of the visit begins */
export function realPorts(plan: RunPlan, mark: RunMark, onStage: (stage: StageName) => void): Ports {
  return {
    start: (cell, signal) =>
      launchServer({
        manifest: cell.built.manifest,
        mode: cell.responseMode,
        cpu: plan.cpus.server,
        mark,
        signal,
      }),
    async verify(server, cell, signal) {
      await assertOwnPort(server.target.port, () => server.pids());
      const { problems, verified, info } = await verifyServer({
        target: server.target,
        manifest: cell.built.manifest,
        artifacts: cell.built.artifacts,
        mode: cell.responseMode,
        pids: () => server.pids(),
        depth: "before-load",
        signal,
      });
      if (problems.length > 0 || info === null) throw breach(cell, problems);
      return { verified, runtimeVersion: info.runtimeVersion };
    },
    assertPinned: (server, stage) => assertPinned(server.pids(), [plan.cpus.server], stage),
    load: loadGenerator,
    sample: sampleWindow,
    checkBodies,
    now: () => ({ wall: new Date(), monotonicMs: Number(process.hrtime.bigint()) / 1e6 }),
    onStage,
  };
}

function breach(cell: Cell, problems: readonly Problem[]): BenchError {
  const lines = problems.map(({ rule, expected, seen }) => `${rule}: expected ${expected}, seen ${seen}`);
  return new BenchError({
    stage: "verify",
    code: "contract",
    message: `${problems.length} breaches of the contract: ${lines.join("; ")}`,
    hint: `List them all: npm run verify -- --only ${cell.adapter}`,
  });
}

/** Replies kept whole under load, held to the contract one by one. */
function checkBodies(kept: readonly KeptReply[], { built, responseMode }: Cell): KeptBodies {
  const context = { mode: responseMode, assetPath: built.manifest.assetPath };
  const wrong = kept.map((one) => checkKeptReply(one, context)).filter((problems) => problems.length > 0);
  return { checked: kept.length, wrong: wrong.length, problems: wrong[0] ?? [] };
}
