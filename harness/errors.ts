/**
 * The one error that the suite throws on purpose. It becomes a failed visit in one place of each run
 * (`runner/visit.ts`, `browser/visit.ts`) and an exit code in exactly one other (`harness/exit.ts`).
 */

/** Where a run can fail: the stages of a visit, and what lies around them. */
export type Stage =
  | "setup"
  | "plan"
  | "build"
  | "start"
  | "verify"
  | "probe"
  | "restart"
  | "warm"
  | "measure"
  | "launch"
  | "preflight"
  | "open"
  | "steps"
  | "metrics"
  | "close"
  | "stop"
  | "report";

/** Every code that an error can carry, with the exit code that it leads to: 1 a failed run, 2 wrong use, 130 Ctrl-C. */
export const ERROR_CODES = {
  usage: 2,
  "unknown-adapter": 2,
  "bad-manifest": 1,
  "bad-report": 1,
  "not-built": 1,
  "build-failed": 1,
  busy: 1,
  "bad-link": 1,
  "link-changed": 1,
  "missing-tool": 1,
  "no-cpu": 1,
  affinity: 1,
  "port-taken": 1,
  "start-timeout": 1,
  "server-exit": 1,
  "clock-set": 1,
  contract: 1,
  "load-failed": 1,
  "no-display": 1,
  "display-gone": 1,
  "slow-display": 1,
  "hidden-page": 1,
  "no-browser": 1,
  "browser-too-old": 1,
  "browser-gone": 1,
  "page-lost": 1,
  "wrong-visits": 1,
  "not-writable": 1,
  "resume-refused": 1,
  unpublishable: 1,
  "left-behind": 1,
  interrupted: 130,
  internal: 1,
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

export interface BenchErrorInit {
  readonly stage: Stage;
  readonly code: ErrorCode;
  /** What happened, with the values that matter. */
  readonly message: string;
  /** The next thing for the person to do. */
  readonly hint: string;
  readonly cause?: unknown;
}

export class BenchError extends Error {
  readonly stage: Stage;
  readonly code: ErrorCode;
  readonly hint: string;

  constructor(init: BenchErrorInit) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause });
    this.name = "BenchError";
    this.stage = init.stage;
    this.code = init.code;
    this.hint = init.hint;
  }
}
