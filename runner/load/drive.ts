/**
 * The load: worker processes that keep one request in flight on each of their connections (a closed loop), and the
 * instants that tell them what to read.
 *
 * What such a client does to its own figures: an answer's time ends when the worker gets round to reading it, so a
 * worker that is busy (above 90 % the row isn't rankable) adds its own queue to each latency. So do its garbage
 * collections: at full load some thirty a second, mostly of a millisecond or two, the longest of about ten, which
 * shows in P99 and not in P50. A slow answer holds its connection's next request back, so latencies are service times
 * at this many connections, not what an independent stream of visitors would meet. Between an answer's end and the
 * next request on its connection the worker checks the answer: that time is in no latency, but in the rate.
 */
import type { Probe, Warm } from "../../report/schema.ts";
import { monotonicMs } from "./clock.ts";
import { divide } from "./divide.ts";
import { type Fleet, type LoadWorker, untilMs, withFleet } from "./fleet.ts";
import type { WorkerWindow } from "./messages.ts";
import { poolProbe, poolReadings, poolWarm, type WindowEdges } from "./pool.ts";
import type { LoadPort, LoadSettings, Measured, MeasureSettings, ProbeSettings } from "./port.ts";

/** How far ahead the workers get a window's instants: what a busy worker needs to hear of them before they come. */
const LEAD_MS = 100;

/** Added connections of a probe that have had no answer by then are counted in all the same. */
const PROBE_ANSWER_LIMIT_MS = 2_000;

/** The load generator: autocannon's clients in pinned processes. */
export const loadGenerator: LoadPort = { probe, measure };

async function probe(settings: ProbeSettings): Promise<readonly Probe[]> {
  return await withFleet(settings, "probe", async (fleet) => {
    const { connections } = settings;
    begin(fleet, settings);
    await untilMs(monotonicMs() + settings.unrecordedMs - LEAD_MS, fleet.ended);
    const base = await probeOnce(fleet, settings.probeMs);
    for (const [worker, share] of sharesOf(fleet, connections)) {
      worker.send({ kind: "add", connections: share });
    }
    // A server that takes its connections slowly would look saturated while it still does.
    await allAnswered(fleet, { connections, times: 2 }, monotonicMs() + PROBE_ANSWER_LIMIT_MS);
    const doubled = await probeOnce(fleet, settings.probeMs);
    for (const worker of fleet.workers) worker.send({ kind: "drop" });
    const control = await probeOnce(fleet, settings.probeMs);
    return [base, doubled, control];
  });
}

async function probeOnce(fleet: Fleet, probeMs: number): Promise<Probe> {
  const startMs = monotonicMs() + LEAD_MS;
  const edges = { startMs, endMs: startMs + probeMs };
  record(fleet, edges, 0);
  return poolProbe(await readings(fleet, edges), edges);
}

async function measure(settings: MeasureSettings): Promise<Measured> {
  return await withFleet(settings, "measure", async (fleet) => {
    const begunAtMs = monotonicMs();
    begin(fleet, settings);
    const warmed = await warm(fleet, settings, begunAtMs);
    const startMs = begunAtMs + warmed.durationMs;
    const edges = { startMs, endMs: startMs + settings.windowMs };
    record(fleet, edges, settings.keepBodies);
    settings.onWindow(edges);
    const windows = await readings(fleet, edges);
    for (const worker of fleet.workers) worker.assertPinned();
    const pinned = fleet.workers.map((worker, index) => ({
      window: windows[index] as WorkerWindow,
      cpus: [worker.cpu],
    }));
    return {
      warm: poolWarm(windows, warmed),
      load: poolReadings(pinned, edges),
      kept: windows.flatMap((window) => window.kept),
    };
  });
}

/** Waits until the warm-up is satisfied, or its limit near, and fixes how long it lasts in all. */
async function warm(
  fleet: Fleet,
  settings: MeasureSettings,
  begunAtMs: number,
): Promise<Pick<Warm, "status" | "durationMs" | "allAnsweredMs">> {
  const [answeredAtMs] = await Promise.all([
    allAnswered(
      fleet,
      { connections: settings.connections, times: 1 },
      begunAtMs + settings.warmLimitMs - LEAD_MS,
    ),
    untilMs(begunAtMs + settings.warmMs - LEAD_MS, fleet.ended),
  ]);
  const durationMs = Math.max(settings.warmMs, monotonicMs() + LEAD_MS - begunAtMs);
  if (answeredAtMs === null) return { status: "short", durationMs, allAnsweredMs: null };
  const allAnsweredMs = answeredAtMs - begunAtMs;
  return { status: allAnsweredMs <= settings.warmMs ? "ok" : "extended", durationMs, allAnsweredMs };
}

function begin(fleet: Fleet, { target, connections, timeoutMs }: LoadSettings): void {
  for (const [worker, share] of sharesOf(fleet, connections)) {
    worker.send({
      kind: "begin",
      ...target,
      connections: share,
      timeoutMs,
    });
  }
}

function record(fleet: Fleet, edges: WindowEdges, keepBodies: number): void {
  for (const [worker, share] of sharesOf(fleet, keepBodies)) {
    worker.send({ kind: "record", ...edges, keepBodies: share });
  }
}

async function readings(fleet: Fleet, edges: WindowEdges): Promise<WorkerWindow[]> {
  return await Promise.all(
    fleet.workers.map((worker) => worker.expect("readings", edges.endMs, fleet.ended)),
  );
}

/**
 * When the last connection had its first answer, on the monotonic clock; null where `limitMs` came first.
 * @param wanted each worker has its share of the connections, and that many times over
 */
async function allAnswered(
  fleet: Fleet,
  wanted: { readonly connections: number; readonly times: number },
  limitMs: number,
): Promise<number | null> {
  const answered = sharesOf(fleet, wanted.connections).map(async ([worker, share]) => {
    for (;;) {
      const message = await worker.expect("answered", limitMs, fleet.ended);
      // An earlier one, of fewer connections, may still have been on its way.
      if (message.connections === share * wanted.times) return message.atMs;
    }
  });
  return await Promise.race([
    Promise.all(answered).then((instants) => Math.max(...instants)),
    untilMs(limitMs, fleet.ended).then(() => null),
  ]);
}

function sharesOf(fleet: Fleet, total: number): (readonly [LoadWorker, number])[] {
  const shares = divide(total, fleet.workers.length);
  return fleet.workers.map((worker, index) => [worker, shares[index] as number] as const);
}
