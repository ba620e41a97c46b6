/** A runtime's own HTTP server, as narrow as the kit needs it. */
import type { Handler } from "./handler.ts";
import type { Router } from "./site.ts";

export interface Site<Kind extends Handler> {
  readonly route: Router;
  readonly handler: Kind;
  /** Called with what a handler threw or rejected with, unless its client has gone. */
  readonly onError: (error: unknown) => void;
}

export interface Listening {
  readonly port: number;
  /**
   * Stops listening, lets running responses end, then closes every connection. Resolves when all are closed, at the
   * latest after `limitMs`, when what still runs is cut off.
   */
  readonly close: (limitMs: number) => Promise<void>;
}

export interface Host<Kind extends Handler> {
  readonly runtime: "node" | "bun" | "deno";
  readonly version: string;
  /**
   * Serves `site` at `host`:`port`.
   *
   * @param port 0 lets the system choose
   * @throws Error with the code `EADDRINUSE` and the like where it can't listen
   */
  readonly listen: (site: Site<Kind>, host: string, port: number) => Promise<Listening>;
}
