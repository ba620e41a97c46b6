/** A live line in a terminal: what is done at this moment, and the last thing that was done below it. */
import { Listr } from "listr2";

export interface LiveLine {
  /** Replaces what the line says. */
  title(text: string): void;
  /** Adds a line below it, which stays. */
  note(text: string): void;
}

/** Runs `work` under a live line that begins with `title`. @returns what `work` returns */
export async function withLiveLine<T>(title: string, work: (line: LiveLine) => Promise<T>): Promise<T> {
  let outcome: { readonly value: T } | null = null;
  const list = new Listr(
    [
      {
        title,
        task: async (_, task) => {
          const value = await work({
            title: (text) => {
              task.title = text;
            },
            note: (text) => {
              task.output = text;
            },
          });
          outcome = { value };
        },
        rendererOptions: { persistentOutput: true, outputBar: Number.POSITIVE_INFINITY },
      },
    ],
    // The command itself turns signals into an orderly end.
    { registerSignalListeners: false },
  );
  await list.run();
  if (outcome === null) throw new TypeError("the list has run its one task");
  return (outcome as { readonly value: T }).value;
}
