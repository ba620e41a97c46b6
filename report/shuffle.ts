/** Rounds over the same things, each in an order of its own: a pure function of the seed. */
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/**
 * For each round the indices below `length` in random order, by one generator for all rounds.
 * @param seed its lower 32 bits count
 */
export function shuffledRounds(length: number, rounds: number, seed: number): number[][] {
  const random = xoroshiro128plus(seed);
  return Array.from({ length: rounds }, () => shuffle(length, (last) => uniformInt(random, 0, last)));
}

/** The indices below `length` in random order (Fisher and Yates). @param pick a whole number, 0 to `last` */
function shuffle(length: number, pick: (last: number) => number): number[] {
  const order = Array.from({ length }, (_, index) => index);
  for (let last = length - 1; last > 0; last -= 1) {
    const other = pick(last);
    [order[last], order[other]] = [order[other] as number, order[last] as number];
  }
  return order;
}
