/**
 * The load workers as processes: started pinned and read back, spoken to in checked messages, watched for death and
 * silence, and gone when `withFleet` returns.
 */
import { type ChildProcess, fork } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { assertPinned, missingTaskset } from "../../harness/cpus.ts";
import { BenchError, type Stage } from "../../harness/errors.ts";
import { monotonicMs } from "./clock.ts";
import { type Command, type WorkerMessage, workerMessageSchema } from "./messages.ts";
import type { LoadSettings } from "./port.ts";

const WORKER_FILE = `${import.meta.dirname}/worker.ts`;

/** Node starts in half a second; a machine that is busy with builds takes longer. */
const START_LIMIT_MS = 20_000;

/** How late a message may be before its worker counts as stuck. */
const SILENCE_LIMIT_MS = 10_000;

const LAST_OUTPUT_LENGTH = 2_000;

type MessageOf<Kind extends WorkerMessage["kind"]> = Extract<WorkerMessage, { kind: Kind }>;

interface Waiter {
  readonly kind: WorkerMessage["kind"];
  readonly resolve: (message: WorkerMessage) => void;
}

/** One worker process. Its death and its nonsense go to `fail`, its messages to whoever waits for them. */
export class LoadWorker {
  readonly cpu: number;
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  readonly #inbox: WorkerMessage[] = [];
  readonly #waiters: Waiter[] = [];
  readonly #stage: Stage;
  #lastOutput = "";

  constructor(cpu: number, stage: Stage, fail: (error: BenchError) => void) {
    this.cpu = cpu;
    this.#stage = stage;
    // taskset becomes the pinned Node (execve), so the process id and the IPC channel stay.
    this.#child = fork(WORKER_FILE, [], {
      execPath: "taskset",
      execArgv: ["-c", String(cpu), process.execPath],
      serialization: "advanced",
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    for (const output of [this.#child.stdout, this.#child.stderr]) {
      output?.setEncoding("utf8").on("data", (text: string) => {
        this.#lastOutput = (this.#lastOutput + text).slice(-LAST_OUTPUT_LENGTH);
      });
    }
    this.#exited = new Promise((resolve) => {
      this.#child.on("error", (error: NodeJS.ErrnoException) => {
        fail(error.code === "ENOENT" ? missingTaskset() : this.#failed(error.message, error));
        resolve();
      });
      // `close`, not `exit`: what it printed last has been read by then.
      this.#child.once("close", (code, signal) => {
        fail(this.#failed(`ended early, with ${signal ?? `exit code ${code}`}`));
        resolve();
      });
    });
    this.#child.on("message", (message) => {
      const parsed = workerMessageSchema.safeParse(message);
      if (parsed.success) this.#deliver(parsed.data);
      else fail(this.#failed(`sent a message that isn't one: ${parsed.error.message}`, parsed.error));
    });
  }

  send(command: Command): void {
    // A channel that is closed shows as the worker's end, which `close` tells of with what it printed.
    this.#child.send(command, () => undefined);
  }

  /**
   * The next message of a kind.
   * @param byMs when it is due, on the monotonic clock; the limit on silence comes on top
   * @throws BenchError `load-failed` where it doesn't come
   */
  async expect<Kind extends WorkerMessage["kind"]>(
    kind: Kind,
    byMs: number,
    ended: AbortSignal,
  ): Promise<MessageOf<Kind>> {
    const timer = new AbortController();
    const limitMs = Math.max(0, byMs - monotonicMs()) + SILENCE_LIMIT_MS;
    try {
      return await Promise.race([
        this.#next(kind),
        delay(limitMs, null, { signal: AbortSignal.any([timer.signal, ended]) }).then(() => {
          throw this.#failed(
            `fell silent: no "${kind}" ${Math.round(SILENCE_LIMIT_MS / 1000)} s after it was due`,
          );
        }),
      ]);
    } finally {
      timer.abort();
    }
  }

  /** The affinity of each of its threads, read back. @throws BenchError `affinity` */
  assertPinned(): void {
    if (this.#child.pid !== undefined) assertPinned([this.#child.pid], [this.cpu], this.#stage);
  }

  /** Ends the process and waits until it has. */
  async end(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#exited;
  }

  async #next<Kind extends WorkerMessage["kind"]>(kind: Kind): Promise<MessageOf<Kind>> {
    const at = this.#inbox.findIndex((message) => message.kind === kind);
    const message =
      at >= 0
        ? (this.#inbox.splice(at, 1)[0] as WorkerMessage)
        : await new Promise<WorkerMessage>((resolve) => this.#waiters.push({ kind, resolve }));
    return message as MessageOf<Kind>;
  }

  #deliver(message: WorkerMessage): void {
    const at = this.#waiters.findIndex((waiter) => waiter.kind === message.kind);
    if (at >= 0) this.#waiters.splice(at, 1)[0]?.resolve(message);
    else this.#inbox.push(message);
  }

  #failed(what: string, cause?: unknown): BenchError {
    const printed = this.#lastOutput.trim();
    return new BenchError({
      stage: this.#stage,
      code: "load-failed",
      message: `a load worker on CPU ${this.cpu} ${what}${printed ? `; it printed last:\n${printed}` : ""}`,
      hint: "Run the cell again; where it stays so, the worker's own words above say why. Memory is the usual cause of a kill.",
      cause,
    });
  }
}

/** Workers that are ready, and the signal that tells when it's over, for timers. */
export interface Fleet {
  readonly workers: readonly LoadWorker[];
  readonly ended: AbortSignal;
}

/**
 * Starts the workers, pinned and read back, and ends them when `use` has returned, failed or been overtaken: by a
 * worker's death or by `settings.signal`.
 * @throws BenchError `load-failed`, `affinity`, `missing-tool`; the reason of `settings.signal`
 */
export async function withFleet<Result>(
  settings: LoadSettings,
  stage: Stage,
  use: (fleet: Fleet) => Promise<Result>,
): Promise<Result> {
  settings.signal.throwIfAborted();
  const overtaken = Promise.withResolvers<never>();
  const ended = new AbortController();
  const abort = (): void => overtaken.reject(settings.signal.reason);
  settings.signal.addEventListener("abort", abort, { once: true });
  const workers: LoadWorker[] = [];
  try {
    // A worker without a connection would have nothing to do, and nothing to say.
    for (let index = 0; index < Math.min(settings.workers, settings.connections); index += 1) {
      const cpu = settings.cpus[index % settings.cpus.length] as number;
      workers.push(new LoadWorker(cpu, stage, overtaken.reject));
    }
    const used = makeReady(workers, ended.signal).then(() => use({ workers, ended: ended.signal }));
    return await Promise.race([used, overtaken.promise]);
  } finally {
    settings.signal.removeEventListener("abort", abort);
    ended.abort();
    await Promise.all(workers.map((worker) => worker.end()));
  }
}

async function makeReady(workers: readonly LoadWorker[], ended: AbortSignal): Promise<void> {
  const byMs = monotonicMs() + START_LIMIT_MS;
  await Promise.all(workers.map((worker) => worker.expect("ready", byMs, ended)));
  for (const worker of workers) worker.assertPinned();
}

/** Waits until an instant of the monotonic clock. */
export async function untilMs(instantMs: number, ended: AbortSignal): Promise<void> {
  const leftMs = instantMs - monotonicMs();
  if (leftMs > 0) await delay(leftMs, undefined, { signal: ended });
}
