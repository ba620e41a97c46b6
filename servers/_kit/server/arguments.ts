/** What a server is told when it starts: `--host`, `--port` and `RESPONSE_MODE`. */
import { parseArgs } from "node:util";

export type ResponseMode = "progressive" | "complete";

export interface ServerArguments {
  readonly host: "127.0.0.1";
  /** 0 lets the system choose. */
  readonly port: number;
  readonly responseMode: ResponseMode;
}

/** Wrong use of a server: its message names what to type instead. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/**
 * Arguments and environment of a server process. Only loopback is served.
 *
 * @throws UsageError for an unknown argument, another host, a port that isn't one, or an unknown response mode
 */
export function parseServerArguments(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ServerArguments {
  const { host, port } = parse(argv);
  if (host !== "127.0.0.1") {
    throw new UsageError(`--host is "${host}"; only 127.0.0.1 is served.`);
  }
  const portNumber = Number(port);
  if (!/^\d+$/.test(port) || portNumber > 65535) {
    throw new UsageError(`--port is "${port}"; give a number from 0 to 65535.`);
  }
  const responseMode = env.RESPONSE_MODE ?? "progressive";
  if (responseMode !== "progressive" && responseMode !== "complete") {
    throw new UsageError(`RESPONSE_MODE is "${responseMode}"; set it to "progressive" or "complete".`);
  }
  return { host, port: portNumber, responseMode };
}

function parse(argv: readonly string[]): { readonly host: string; readonly port: string } {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        host: { type: "string", default: "127.0.0.1" },
        port: { type: "string", default: "0" },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}. Known are --host and --port.`, { cause: error });
  }
}
