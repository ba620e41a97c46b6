/**
 * The journal of a run: one line a visit, flushed to disk before the next visit begins, so that a run that dies keeps
 * what it has. The report is made from it.
 */
import { type FileHandle, open, readFile, rm } from "node:fs/promises";
import type { z } from "zod";
import { BenchError } from "./errors.ts";
import { keepAside, notWritable } from "./files.ts";

/** What the lines of a kind of journal are. */
export interface JournalShape<Head, Visit> {
  /** The first line: what a run must have in common with its journal to go on from it. */
  readonly head: z.ZodType<Head>;
  /** Every other line. */
  readonly visit: z.ZodType<Visit>;
}

export interface JournalContents<Head, Visit> {
  readonly head: Head;
  readonly visits: readonly Visit[];
  /** Length of the whole lines in bytes; what a writer that died left after them isn't one. */
  readonly wholeBytes: number;
}

/** `FILE.json` → `FILE.json.journal.ndjson`. */
export function journalPath(reportFile: string): string {
  return `${reportFile}.journal.ndjson`;
}

/** The bytes of a journal. A last line that was cut short is left out. @throws BenchError `bad-report` */
export function parseJournal<Head, Visit>(
  shape: JournalShape<Head, Visit>,
  bytes: Uint8Array,
  file: string,
): JournalContents<Head, Visit> {
  const whole = bytes.subarray(0, bytes.lastIndexOf(NEW_LINE) + 1);
  const [first, ...rest] = decodeUtf8(whole, file)
    .split("\n")
    .filter((line) => line !== "");
  if (first === undefined) throw badJournal(file, 1, "there is no whole line in it");
  return {
    head: parseLine(shape.head, first, file, 1),
    visits: rest.map((line, index) => parseLine(shape.visit, line, file, index + 2)),
    wholeBytes: whole.byteLength,
  };
}

const NEW_LINE = 0x0a;

/** Strictly: a character put in a wrong byte's place would make the text longer than the file. */
function decodeUtf8(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw badJournal(file, 1, `or one after it: ${(error as Error).message}`);
  }
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
export async function readJournal<Head, Visit>(
  shape: JournalShape<Head, Visit>,
  reportFile: string,
): Promise<JournalContents<Head, Visit>> {
  const file = journalPath(reportFile);
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new BenchError({
      stage: "plan",
      code: "resume-refused",
      message: `there is no journal to go on from: ${file} (${error.code})`,
      hint: "Name the report file of the run that died (its journal stands beside it), or begin the run anew.",
      cause: error,
    });
  });
  return parseJournal(shape, bytes, file);
}

/** An open journal that visits are appended to. */
export interface Journal<Visit> {
  /** Resolves when the visit is on disk. @throws BenchError `not-writable` */
  append(visit: Visit): Promise<void>;
  close(): Promise<void>;
}

/** Begins a new journal; one that a run before left in its place is kept aside. @throws BenchError `not-writable` */
export async function createJournal<Visit>(reportFile: string, head: object): Promise<Journal<Visit>> {
  const file = journalPath(reportFile);
  await keepAside(file, new Date());
  const journal = openJournal(file, await openFile(file, "ax"));
  await journal.appendLine(head);
  return journal;
}

/** Goes on with the journal of a run that died, from the end of its last whole line. @throws BenchError `not-writable` */
export async function reopenJournal<Visit>(
  reportFile: string,
  contents: JournalContents<unknown, Visit>,
): Promise<Journal<Visit>> {
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
  return { appendLine, append: appendLine, close: () => handle.close() };
}
