/** Two arms measured in turn within one run, so that a drift of the machine favours neither. */

/** Takes one turn of an arm, in a round from 1. */
export type Arm<Reading> = (round: number) => Promise<Reading>;

/**
 * Takes a turn of each arm in every round; which one comes first alternates too.
 * @param onRound told before each round, from 1
 */
export async function alternate<First, Second>(
  rounds: number,
  first: Arm<First>,
  second: Arm<Second>,
  onRound: (round: number) => void,
): Promise<(readonly [First, Second])[]> {
  const pairs: (readonly [First, Second])[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    onRound(round);
    if (round % 2 === 1) {
      const one = await first(round);
      pairs.push([one, await second(round)]);
    } else {
      const two = await second(round);
      pairs.push([await first(round), two]);
    }
  }
  return pairs;
}
