/** Builds adapters and shows how far it is: a live list in a terminal, plain lines elsewhere. */
import { Listr, type ListrTaskWrapper } from "listr2";
import { type BuildEvent, type BuildOptions, type BuiltAdapter, buildAdapters } from "../harness/build.ts";
import type { AdapterManifest } from "../harness/manifest.ts";

/** As `buildAdapters`, with its events shown on stdout. @throws what `buildAdapters` throws */
export async function buildWithProgress(
  manifests: readonly AdapterManifest[],
  options: Omit<BuildOptions, "onEvent">,
): Promise<BuiltAdapter[]> {
  return process.stdout.isTTY
    ? await buildInTerminal(manifests, options)
    : await buildAdapters(manifests, { ...options, onEvent: printLine });
}

function printLine(event: BuildEvent): void {
  const line = describe(event);
  if (line !== null) process.stdout.write(`build ${event.adapter}: ${line}\n`);
}

/** Null for what only a live display shows. */
function describe(event: BuildEvent): string | null {
  switch (event.kind) {
    case "command":
      return event.command;
    case "current":
      return "nothing to do";
    case "built":
      return `done in ${(event.durationMs / 1000).toFixed(1)} s`;
    case "failed":
      return "failed";
    case "started":
    case "output":
      return null;
  }
}

type Task = Pick<ListrTaskWrapper<unknown, never, never>, "title" | "output">;

/** The list's tasks only show: each ends when the build has said that its adapter ended. */
async function buildInTerminal(
  manifests: readonly AdapterManifest[],
  options: Omit<BuildOptions, "onEvent">,
): Promise<BuiltAdapter[]> {
  const shown = new Map<string, { task: Task | null; end: PromiseWithResolvers<void> }>(
    manifests.map(({ id }) => [id, { task: null, end: Promise.withResolvers<void>() }]),
  );
  const list = new Listr(
    manifests.map(({ id, displayName }) => ({
      title: displayName,
      task: async (_: unknown, task: Task) => {
        const entry = shown.get(id);
        if (entry === undefined) return;
        entry.task = task;
        await entry.end.promise;
      },
    })),
    { concurrent: true, exitOnError: false, registerSignalListeners: false },
  );
  const display = list.run();
  try {
    return await buildAdapters(manifests, {
      ...options,
      onEvent: (event) => showEvent(shown.get(event.adapter), event),
    });
  } finally {
    for (const { end } of shown.values()) end.resolve();
    await display;
  }
}

function showEvent(
  entry: { task: Task | null; end: PromiseWithResolvers<void> } | undefined,
  event: BuildEvent,
): void {
  if (entry?.task == null) return;
  if (event.kind === "output" || event.kind === "command") {
    entry.task.output = event.kind === "output" ? event.line : event.command;
    return;
  }
  if (event.kind === "started") return;
  entry.task.title = `${entry.task.title}: ${describe(event)}`;
  if (event.kind === "failed") entry.end.reject(event.error);
  else entry.end.resolve();
}
