/** What the front costs: time added to the first byte on an established connection, and what becomes of a paced body. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { SelfBenchmark, SelfContext, SelfRun } from "../../harness/self-benchmark.ts";
import { medianFigure, type SelfFigure, type Target } from "../../report/self/findings.ts";
import { median } from "../../report/statistics.ts";
import { startFront } from "../proxy/front.ts";
import { type Arm, directArm, frontArm } from "./arms.ts";
import { onAllCpus } from "./cpus.ts";
import { PACE_MS, PIECES } from "./pieces.ts";

const DEFAULT_ROUNDS = 10;
/** Of each arm, in a round, in turn with the other's. */
const REQUESTS = 50;
/** Of one request, with its body. */
const REQUEST_MS = 2;
const ARMS = 2;
const FIRST_BYTE: Target = { kind: "at-most", limit: 1 };
const EVERY_PIECE: Target = { kind: "within", centre: 1, tolerance: 0, of: "value", belowSteal: null };

/** Its findings: ms added to the first byte, ms added to a piece of a paced body, and the share of pieces that came alone. */
export const front: SelfBenchmark = {
  name: "front",
  about:
    "what the HTTPS and HTTP/2 front adds to the first byte, and whether it passes a paced body on in pieces",
  suspects: "the front itself, or too few CPUs for client, front and server at once",
  needs: [],
  expectedMs: ({ rounds = DEFAULT_ROUNDS }) =>
    // One more: the requests that aren't recorded.
    (rounds + 1) * ARMS * (REQUESTS * REQUEST_MS + PIECES * PACE_MS),
  run: (context) => onAllCpus(context.cpus, () => run(context)),
};

async function run(context: SelfContext): Promise<SelfRun> {
  const upstream = new Worker(new URL("./upstream.ts", import.meta.url));
  try {
    const [port] = (await once(upstream, "message", { signal: context.signal })) as [number];
    await using started = await startFront({ host: "127.0.0.1", port });
    using direct = directArm({ host: "127.0.0.1", port });
    using through = frontArm(started);
    const rounds = await takeRounds(direct, through, context);
    return {
      status: "measured",
      findings: {
        subject: `one client, through the front and past it in turn, at a server on a thread of its own: ${REQUESTS} requests each and a body of ${PIECES} pieces, one every ${PACE_MS} ms (rounds: ${rounds.length})`,
        figures: figuresOf(rounds),
        othersShares: [],
      },
    };
  } finally {
    await upstream.terminate();
  }
}

/** What one round has shown. */
interface Round {
  readonly addedToFirstByteMs: number;
  readonly addedToPieceMs: number;
  /** Of the pieces through the front. */
  readonly aloneShare: number;
}

async function takeRounds(direct: Arm, through: Arm, context: SelfContext): Promise<Round[]> {
  const count = context.rounds ?? DEFAULT_ROUNDS;
  context.onStep("connections and code warm up");
  await takeRound(direct, through);
  const rounds: Round[] = [];
  for (let round = 1; round <= count; round += 1) {
    context.signal.throwIfAborted();
    context.onStep(`round ${round} of ${count}`);
    rounds.push(await takeRound(direct, through));
  }
  return rounds;
}

async function takeRound(direct: Arm, through: Arm): Promise<Round> {
  const pastMs: number[] = [];
  const throughMs: number[] = [];
  for (let request = 0; request < REQUESTS; request += 1) {
    pastMs.push(await direct.firstByteMs());
    throughMs.push(await through.firstByteMs());
  }
  const past = await direct.pieces();
  const passed = await through.pieces();
  return {
    addedToFirstByteMs: median(throughMs) - median(pastMs),
    addedToPieceMs: median(passed.delaysMs) - median(past.delaysMs),
    aloneShare: passed.alone / PIECES,
  };
}

function figuresOf(rounds: readonly Round[]): SelfFigure[] {
  const shown = (
    name: string,
    unit: SelfFigure["unit"],
    read: (round: Round) => number,
    target: Target | null = null,
  ) => medianFigure(name, unit, rounds.map(read), target);
  return [
    shown("added to the first byte", "ms", (round) => round.addedToFirstByteMs, FIRST_BYTE),
    shown("added to a piece of a paced body", "ms", (round) => round.addedToPieceMs),
    shown("pieces that came alone", "share", (round) => round.aloneShare, EVERY_PIECE),
  ];
}
