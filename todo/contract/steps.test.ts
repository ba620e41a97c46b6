import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { activeCount, shownTodos } from "./model.ts";
import { seededRandom } from "./random.ts";
import { type PlannedStep, planSteps, STEP_COUNT } from "./steps.ts";

const TIMESTAMP = "2026-09-11T22:49:49.677Z";
const SEEDS = Array.from({ length: 500 }, (_, index) => index * 7_919);

function step(steps: readonly PlannedStep[], n: number): PlannedStep {
  const found = steps[n - 1];
  assert.ok(found);
  assert.equal(found.n, n);
  return found;
}

/** Item ids that the step's acts aim at. */
function aimedAt({ acts }: PlannedStep): string[] {
  const ids = acts.map(({ act }) => ("target" in act ? act.target.item : null));
  return [...new Set(ids.filter((id) => id !== null))];
}

/** What the workload's table states: all todos, and active ones in all. Null where the table leaves it open. */
const STATED: readonly (readonly [n: number, todos: number | null, active: number | null])[] = [
  [1, 100, 66],
  [2, 101, 67],
  [3, 102, 68],
  [4, 103, 69],
  [5, 103, 69],
  [6, 103, 68],
  [7, 103, 69],
  [8, 103, 68],
  [9, 103, 69],
  [14, 102, null],
  [15, 101, null],
  [16, 100, null],
  [27, 100, 0],
  [28, 100, 97],
  [29, 97, 97],
];

describe("the 29 steps", () => {
  it("find an item for every † and reach every stated count, whatever the seed", () => {
    for (const seed of SEEDS) {
      const steps = planSteps(TIMESTAMP, seed);
      assert.equal(steps.length, STEP_COUNT);
      for (const [n, todos, active] of STATED) {
        const { model } = step(steps, n);
        if (todos !== null) assert.equal(model.todos.length, todos, `seed ${seed}, step ${n}`);
        if (active !== null) assert.equal(activeCount(model), active, `seed ${seed}, step ${n}`);
      }
    }
  });

  it("change what is shown in every act but the empty add", () => {
    for (const seed of SEEDS) {
      const acts = planSteps(TIMESTAMP, seed).flatMap(({ n, acts: own }) =>
        own.map((act) => ({ n, ...act })),
      );
      for (const [index, { n, act, after }] of acts.entries()) {
        const earlier = acts[index - 1]?.after;
        const same = JSON.stringify(after) === JSON.stringify(earlier);
        assert.equal(same, n === 5, `seed ${seed}, step ${n}: ${JSON.stringify(act)}`);
      }
    }
  });

  it("edit four different originals, delete a fifth, and only act on items that are shown", () => {
    for (const seed of SEEDS) {
      const steps = planSteps(TIMESTAMP, seed);
      const chosen = [10, 12, 13, 14, 15].flatMap((n) => aimedAt(step(steps, n)));
      assert.equal(new Set(chosen).size, 5);
      assert.ok(chosen.every((id) => Number(id.slice(5)) <= 100));
      assert.deepEqual(aimedAt(step(steps, 11)), aimedAt(step(steps, 10)));
      assert.notDeepEqual(aimedAt(step(steps, 8)), aimedAt(step(steps, 9)));
      for (let n = 2; n <= STEP_COUNT; n += 1) {
        const shown = new Set(shownTodos(step(steps, n - 1).model).map(({ id }) => id));
        assert.ok(
          aimedAt(step(steps, n)).every((id) => shown.has(id)),
          `seed ${seed}, step ${n}`,
        );
      }
    }
  });

  it("lead through the filters, the search and the sort as the table says", () => {
    for (const seed of SEEDS) {
      const steps = planSteps(TIMESTAMP, seed);
      const addresses = [17, 18, 19, 20, 21, 22, 23].map((n) => step(steps, n).acts.at(-1)?.after.address);
      assert.deepEqual(addresses, [
        "/active",
        "/active",
        "/completed",
        "/completed",
        "/active",
        "/completed",
        "/",
      ]);
      const found = shownTodos(step(steps, 24).model);
      assert.ok(found.length >= 5 && found.length <= 10, `seed ${seed}: ${found.length} found`);
      assert.deepEqual(shownTodos(step(steps, 25).model), shownTodos(step(steps, 23).model));
      assert.deepEqual(shownTodos(step(steps, 26).model), shownTodos(step(steps, 25).model).reverse());
      assert.equal(aimedAt(step(steps, 28)).length, 3);
    }
  });

  it("are the same for the same seed, and differ between seeds", () => {
    assert.deepEqual(planSteps(TIMESTAMP, 7), planSteps(TIMESTAMP, 7));
    assert.notDeepEqual(planSteps(TIMESTAMP, 7), planSteps(TIMESTAMP, 8));
  });

  it("hold only plain data, which passes through JSON unchanged", () => {
    const steps = planSteps(TIMESTAMP, 1);
    assert.deepEqual(JSON.parse(JSON.stringify(steps)), steps);
  });
});

describe("seededRandom", () => {
  it("spreads evenly over 0 to 1", () => {
    const random = seededRandom(42);
    const buckets = new Array<number>(10).fill(0);
    for (let draw = 0; draw < 10_000; draw += 1) {
      const bucket = Math.floor(random() * 10);
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    }
    assert.ok(
      buckets.every((count) => count > 850 && count < 1_150),
      buckets.join(", "),
    );
  });
});
