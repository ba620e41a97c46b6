import assert from "node:assert/strict";
import { test } from "node:test";
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { Outcome } from "./judge.ts";
import { type LoadEvent, Tally } from "./tally.ts";

const OUTCOMES: readonly Outcome[] = [
  { kind: "completed" },
  { kind: "completed" },
  { kind: "completed" },
  { kind: "non2xx" },
  { kind: "invalid", fault: "nonce" },
  { kind: "error", error: "reset" },
  { kind: "error", error: "timeout" },
];

function exchange(startMs: number, endMs: number, slot = 0): LoadEvent {
  const outcome = { kind: "completed" } as const;
  return { kind: "exchange", slot, startMs, firstByteMs: startMs + 1, endMs, outcome, bodyBytes: 100 };
}

test("the first instant of the window is in it, the first after it isn't", () => {
  const tally = new Tally(1000, 2000);
  tally.add(exchange(990, 999.999));
  tally.add(exchange(990, 1000));
  tally.add(exchange(1990, 1999.999));
  tally.add(exchange(1990, 2000));
  tally.add(exchange(2000, 2010));
  const counts = tally.counts(1);
  assert.equal(counts.before.completed, 1);
  assert.equal(counts.completed, 2);
  assert.equal(counts.unfinished, 1);
  assert.equal(counts.sent, 2);
  assert.ok(Math.abs(counts.inFlightMs - (0 + 9.999 + 10)) < 1e-9);
});

test("a request longer than the window is in flight for all of it, and was sent before it", () => {
  const tally = new Tally(1000, 2000);
  tally.add(exchange(500, 2500));
  const counts = tally.counts(1);
  assert.deepEqual([counts.sent, counts.unfinished, counts.inFlightMs], [0, 1, 1000]);
  assert.equal(counts.starvedConnections, 1);
});

test("a request that couldn't be sent is sent and failed, so that both sides balance", () => {
  const tally = new Tally(1000, 2000);
  for (const atMs of [999, 1000, 1999, 2000]) tally.add({ kind: "unsent", atMs, error: "refused" });
  const counts = tally.counts(1);
  assert.deepEqual([counts.before.errors, counts.sent, counts.errors.refused], [1, 2, 2]);
});

test("a slot that was closed just before the window may have an answer in it, and hides no starved one", () => {
  const tally = new Tally(1000, 2000);
  tally.add(exchange(990, 1001, 3));
  tally.add(exchange(990, 1500, 0));
  assert.equal(tally.counts(1).starvedConnections, 0);
  assert.equal(tally.counts(2).starvedConnections, 1);
});

test("latency and first byte are whole microseconds from the request's start", () => {
  const tally = new Tally(1000, 2000);
  tally.add(exchange(1100, 1112.3456));
  const counts = tally.counts(1);
  assert.deepEqual([...counts.latencyUs], [12_346]);
  assert.deepEqual([...counts.firstByteUs], [1_000]);
  assert.deepEqual(counts.bodyBytes, { sum: 100, min: 100, max: 100 });
});

test("simulated closed loops: slots are always in flight or waiting, and all that was sent is accounted for", () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const random = xoroshiro128plus(seed);
    const slots = uniformInt(random, 1, 8);
    const startMs = 1000 * uniformFloat64(random);
    const endMs = startMs + 100 + 1000 * uniformFloat64(random);
    const tally = new Tally(startMs, endMs);
    const events: Exclude<LoadEvent, { kind: "unsent" }>[] = [];
    for (let slot = 0; slot < slots; slot += 1) {
      let nowMs = 0;
      while (nowMs < endMs) {
        const thenMs = nowMs + 1 + 200 * uniformFloat64(random);
        const outcome = OUTCOMES[uniformInt(random, 0, OUTCOMES.length - 1)] as Outcome;
        events.push({
          kind: "exchange",
          slot,
          startMs: nowMs,
          firstByteMs: nowMs,
          endMs: thenMs,
          outcome,
          bodyBytes: 7,
        });
        nowMs = thenMs;
        if (outcome.kind !== "error") continue;
        nowMs += 100 * uniformFloat64(random);
        events.push({ kind: "waiting", startMs: thenMs, endMs: nowMs });
      }
    }
    // The order in which it is told doesn't matter.
    for (const event of events.toSorted((a, b) => b.startMs - a.startMs)) tally.add(event);
    const counts = tally.counts(slots);

    const exchanges = events.filter((event) => event.kind === "exchange");
    const inside = exchanges.filter((event) => event.endMs >= startMs && event.endMs < endMs);
    const valid = inside.filter(({ outcome }) => outcome.kind === "completed");
    assert.equal(counts.completed, valid.length);
    assert.equal(counts.latencyUs.length, valid.length);
    assert.equal(counts.errors.timeout, inside.filter(({ outcome }) => outcome === OUTCOMES[6]).length);
    assert.equal(
      counts.sent,
      exchanges.filter((event) => event.startMs >= startMs && event.startMs < endMs).length,
    );
    assert.equal(counts.bodyBytes.sum, 7 * valid.length);
    const answered = new Set(
      inside.filter(({ outcome }) => outcome.kind !== "error").map((event) => event.slot),
    );
    assert.equal(counts.starvedConnections, slots - answered.size);
    const atWork = (counts.inFlightMs + counts.waitingMs) / (endMs - startMs);
    assert.ok(Math.abs(atWork - slots) < 1e-6, `seed ${seed}: ${atWork} of ${slots}`);
    assert.ok(Math.abs(counts.sent - inside.length) <= slots, `seed ${seed}`);
  }
});
