/**
 * The journal of a run: one line a visit, flushed to disk before the next visit begins, so that a run that dies keeps
 * what it has. The report is made from it.
 */
import { type FileHandle, open, readFile, rm } from "node:fs/promises";
import { z } from "zod";
import { BenchError } from "../harness/errors.ts";
import { keepAside, notWritable } from "../harness/files.ts";
import { planSchema, provenanceSchema, SCHEMA_VERSION, type Visit, visitSchema } from "../report/schema.ts";

/** What a run must have in common with its journal to go on from it. */
const headSchema = z.strictObject({
  kind: z.literal("ssr-load-journal"),
  schemaVersion: z.literal(SCHEMA_VERSION),
  contractVersion: z.int().positive(),
  plan: planSchema,
  provenance: provenanceSchema,
});

export type JournalHead = z.infer<typeof headSchema>;

export interface JournalContents {
  readonly head: JournalHead;
  readonly visits: readonly Visit[];
  /** Length of the whole lines in bytes; what a writer that died left after them isn't one. */
  readonly wholeBytes: number;
}

/** `FILE.json` → `FILE.json.journal.ndjson`. */
export function journalPath(reportFile: string): string {
  return `${reportFile}.journal.ndjson`;
}

/** The text of a journal. A last line that was cut short is left out. @throws BenchError `bad-report` */
export function parseJournal(text: string, file: string): JournalContents {
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  const [first, ...rest] = whole.split("\n").filter((line) => line !== "");
  if (first === undefined) throw badJournal(file, 1, "there is no whole line in it");
  return {
    head: parseLine(headSchema, first, file, 1),
    visits: rest.map((line, index) => parseLine(visitSchema, line, file, index + 2)),
    wholeBytes: Buffer.byteLength(whole),
  };
}

function parseLine<T>(schema: z.ZodType<T>, line: string, file: string, lineNumber: number): T {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch (error) {
    throw badJournal(file, lineNumber, (error as Error).message);
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw badJournal(file, lineNumber, `${issue?.path.join(".")}: ${issue?.message}`);
}

function badJournal(file: string, line: number, why: string): BenchError {
  return new BenchError({
    stage: "report",
    code: "bad-report",
    message: `${file}, line ${line}: ${why}`,
    hint: "This journal can't be gone on from; begin the run anew. The file is left as it is.",
  });
}

/** @throws BenchError `resume-refused` where there is no journal, `bad-report` where it can't be read */
export async function readJournal(reportFile: string): Promise<JournalContents> {
  const file = journalPath(reportFile);
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new BenchError({
      stage: "plan",
      code: "resume-refused",
      message: `there is no journal to go on from: ${file} (${error.code})`,
      hint: "Name the report file of the run that died (its journal stands beside it), or begin the run anew.",
      cause: error,
    });
  });
  return parseJournal(text, file);
}

/** An open journal that visits are appended to. */
export interface Journal {
  /** Resolves when the visit is on disk. @throws BenchError `not-writable` */
  append(visit: Visit): Promise<void>;
  close(): Promise<void>;
}

/** Begins a new journal; one that a run before left in its place is kept aside. @throws BenchError `not-writable` */
export async function createJournal(reportFile: string, head: JournalHead): Promise<Journal> {
  const file = journalPath(reportFile);
  await keepAside(file, new Date());
  const journal = openJournal(file, await openFile(file, "ax"));
  await journal.appendLine(head);
  return journal;
}

/** Goes on with the journal of a run that died, from the end of its last whole line. @throws BenchError `not-writable` */
export async function reopenJournal(reportFile: string, contents: JournalContents): Promise<Journal> {
  const file = journalPath(reportFile);
  const handle = await openFile(file, "r+");
  await handle.truncate(contents.wholeBytes);
  await handle.close();
  return openJournal(file, await openFile(file, "a"));
}

/** The journal of a run whose report is whole has nothing left to say. */
export async function removeJournal(reportFile: string): Promise<void> {
  await rm(journalPath(reportFile), { force: true });
}

async function openFile(file: string, flags: string): Promise<FileHandle> {
  return await open(file, flags).catch((error: unknown) => {
    throw notWritable(file, error);
  });
}

function openJournal(file: string, handle: FileHandle) {
  const appendLine = async (value: unknown): Promise<void> => {
    try {
      await handle.appendFile(`${JSON.stringify(value)}\n`);
      await handle.datasync();
    } catch (error) {
      throw notWritable(file, error);
    }
  };
  return { appendLine, append: (visit: Visit) => appendLine(visit), close: () => handle.close() };
}
