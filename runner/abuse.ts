/** Bad clients, odd requests and many connections: what a server must bear and go on answering. */
import { type Misbehaviour, misbehave, sendAtOnce } from "../harness/bad-client.ts";
import type { RawSettings, RawTarget } from "../harness/raw-http.ts";
import type { ResponseMode } from "../report/schema.ts";
import { checkHeard, oddRequests } from "../todo/contract/abuse.ts";
import { FILTER_PATHS } from "../todo/contract/data.ts";
import type { Problem } from "../todo/contract/problem.ts";
import { condense, problem } from "../todo/contract/problems.ts";
import { nonceSource } from "./load/nonce.ts";

export interface AbuseOptions extends RawSettings {
  readonly target: RawTarget;
  readonly mode: ResponseMode;
  readonly assetPath: string;
  /** Asks for one page on a connection of its own, as a good client does. */
  readonly askOnce: () => Promise<Problem[]>;
}

/** One thing that a bad client does. */
interface Case {
  /** For messages: `after …`. */
  readonly what: string;
  /** Does it; gives what the server did wrong meanwhile. */
  readonly act: () => Promise<Problem[]>;
}

const CONNECTIONS = 1_000;

/**
 * Each case in turn, and after it a good client that must be answered right; then many connections one after another.
 * It ends at the first case that the server doesn't survive.
 * @throws the signal's reason when it aborts
 */
export async function abuse(options: AbuseOptions): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const { what, act } of [...badClients(options), ...oddCases(options)]) {
    problems.push(...condense(await act()));
    const after = await stillRight(`after ${what}`, options);
    problems.push(...after);
    if (after.length > 0) return problems;
  }
  return [...problems, ...(await connectOften(options))];
}

function badClients(options: AbuseOptions): Case[] {
  const { target } = options;
  const act = (how: Misbehaviour) => misbehave(target, FILTER_PATHS.all, how, options);
  return [
    ...[0, 1, 2_000, 20_000, 50_000].map((afterBytes) => ({
      what: `a client that hung up at byte ${afterBytes}`,
      act: async () => {
        await act({ kind: "hang-up", afterBytes });
        return [];
      },
    })),
    ...(["head", "body"] as const).map((part) => ({
      what: `half a ${part}`,
      act: async () => {
        let beside = Promise.resolve<Problem[]>([]);
        const meanwhile = (): Promise<unknown> => {
          beside = stillRight(`beside half a ${part}`, options);
          return beside;
        };
        await act({ kind: "half-request", part, meanwhile });
        return await beside;
      },
    })),
    {
      what: "a slow reader",
      act: async () => {
        const [{ complete }, beside] = await Promise.all([
          act({ kind: "slow-reader", pauseMs: 50, pauses: 5 }),
          stillRight("beside a slow reader", options),
        ]);
        const cut = problem("slow-reader", "the whole answer", "the connection ended before");
        return complete ? beside : [cut, ...beside];
      },
    },
  ];
}

function oddCases(options: AbuseOptions): Case[] {
  const { target, mode, assetPath } = options;
  const authority = `${target.host}:${target.port}`;
  return oddRequests({ nonce: nonceSource(), authority, assetPath }).map((odd) => ({
    what: odd.what,
    act: async () => {
      const requests = odd.asks.map(({ request }) => request);
      return checkHeard(odd, await sendAtOnce(target, requests, options), { mode, assetPath });
    },
  }));
}

async function connectOften(options: AbuseOptions): Promise<Problem[]> {
  for (let turn = 1; turn <= CONNECTIONS; turn += 1) {
    const problems = await stillRight(`connection ${turn} of ${CONNECTIONS}, one after another`, options);
    if (problems.length > 0) return problems;
  }
  return [];
}

async function stillRight(when: string, { askOnce }: AbuseOptions): Promise<Problem[]> {
  return condense(await askOnce()).map((one) => ({ ...one, expected: `${when}: ${one.expected}` }));
}
