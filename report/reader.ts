/** Text → report: nothing from outside is believed before its schema has passed it. One reader for each kind. */
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import type { z } from "zod";
import type { JsonSchema } from "./json-schemas.ts";
import { type Problem, SCHEMA_VERSION } from "./schema.ts";

export type Problems = readonly [Problem, ...Problem[]];

export type ReadReport<Report> =
  | { readonly ok: true; readonly report: Report }
  | { readonly ok: false; readonly problems: Problems };

/** Reads reports of one kind. */
export interface Reader<Report> {
  /**
   * The text of a report file as a report of this version. Whatever is wrong with it comes back as problems, each with
   * the path of its field; nothing is thrown.
   */
  read(text: string): ReadReport<Report>;
  /** The same of parsed JSON, or any value. */
  check(json: unknown): ReadReport<Report>;
}

/** More lines than this help nobody: one wrong part of a report breaks the same rule in every visit. */
const MOST_PROBLEMS = 50;

/** @param jsonSchema the published one, of `schema` */
export function makeReader<Report>(
  kind: string,
  schema: z.ZodType<Report>,
  jsonSchema: JsonSchema,
): Reader<Report> {
  const validate = new Ajv2020({
    allErrors: true,
    // Dates carry their pattern beside the format, and addresses are zod's.
    formats: { "date-time": true, uri: true },
  }).compile(jsonSchema);
  const check = (json: unknown): ReadReport<Report> => {
    const stranger = strangeKind(json, [kind]) ?? strangeVersion(json);
    if (stranger !== null) return { ok: false, problems: [stranger] };
    const fits = validate(json);
    // zod also holds what JSON Schema leaves to its readers, such as that an address is one.
    const parsed = schema.safeParse(json);
    if (fits && parsed.success) return { ok: true, report: parsed.data };
    const problems = parsed.success ? ajvProblems(validate.errors ?? []) : fieldProblems(parsed.error);
    const [first = unknownProblem(), ...rest] = problems;
    return { ok: false, problems: [first, ...rest] };
  };
  const read = (text: string): ReadReport<Report> => {
    const parsed = parseJson(text);
    return parsed.ok ? check(parsed.json) : { ok: false, problems: [parsed.problem] };
  };
  return { read, check };
}

export type ParsedJson =
  | { readonly ok: true; readonly json: unknown }
  | { readonly ok: false; readonly problem: Problem };

/** JSON, or why it isn't: a file that was cut short is told from one that never was JSON. */
export function parseJson(text: string): ParsedJson {
  try {
    return { ok: true, json: JSON.parse(text) };
  } catch (error) {
    const message = (error as Error).message;
    const problem = isCutShort(text, message)
      ? { rule: "cut-short", expected: "a whole JSON file", seen: `it ends after ${text.length} characters` }
      : { rule: "not-json", expected: "JSON", seen: message };
    return { ok: false, problem };
  }
}

/** It begins like a report, and the parser's trouble is at its end. */
function isCutShort(text: string, message: string): boolean {
  const begun = text.trim();
  if (begun === "") return true;
  if (!begun.startsWith("{")) return false;
  const at = /at position (\d+)/.exec(message)?.[1];
  const atEnd = at === undefined ? /end of JSON|unterminated/i.test(message) : Number(at) >= begun.length;
  return atEnd || /unterminated/i.test(message);
}

/** What is wrong with a value that is no report of one of these kinds; null where it says that it is one. */
export function strangeKind(json: unknown, kinds: readonly string[]): Problem | null {
  const expected = `a report of kind ${kinds.join(" or ")}`;
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    return {
      rule: "kind",
      expected,
      seen: Array.isArray(json) ? "a list" : (JSON.stringify(json) ?? "nothing"),
    };
  }
  const { kind } = json as { readonly kind?: unknown };
  if (typeof kind !== "string") return { rule: "kind", expected, seen: "no kind" };
  return kinds.includes(kind) ? null : { rule: "kind", expected, seen: `a report of kind ${kind}` };
}

function strangeVersion(json: unknown): Problem | null {
  const { schemaVersion } = json as { readonly schemaVersion?: unknown };
  if (schemaVersion === SCHEMA_VERSION) return null;
  const age =
    typeof schemaVersion !== "number"
      ? "none"
      : schemaVersion > SCHEMA_VERSION
        ? `${schemaVersion}, which is newer: use a newer checkout to read it`
        : `${schemaVersion}, which is older: use the checkout that wrote it`;
  return { rule: "schema-version", expected: `schema version ${SCHEMA_VERSION}`, seen: age };
}

/** A problem for each field that zod refuses: it knows which member of a union a value means to be, as ajv doesn't. */
function fieldProblems({ issues }: z.ZodError): Problem[] {
  return issues.slice(0, MOST_PROBLEMS).map(({ path, message }) => ({
    rule: path.join(".") || "the whole report",
    expected: "a value that fits the schema",
    seen: message,
  }));
}

function ajvProblems(errors: readonly ErrorObject[]): Problem[] {
  return errors.slice(0, MOST_PROBLEMS).map(({ instancePath, message, keyword }) => ({
    rule: instancePath.slice(1).replaceAll("/", ".") || "the whole report",
    expected: "a value that fits the schema",
    seen: message ?? keyword,
  }));
}

function unknownProblem(): Problem {
  return { rule: "schema", expected: "a report that fits its schema", seen: "one that doesn't" };
}
