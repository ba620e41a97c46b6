/** Text → load report: nothing from outside is believed before its schema has passed it. */
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import type { z } from "zod";
import { loadReportJsonSchema } from "./json-schemas.ts";
import { type LoadReport, loadReportSchema, type Problem, SCHEMA_VERSION } from "./schema.ts";

export type ReadReport =
  | { readonly ok: true; readonly report: LoadReport }
  | { readonly ok: false; readonly problems: readonly [Problem, ...Problem[]] };

const KIND = "ssr-load";
/** More lines than this help nobody: one wrong part of a report breaks the same rule in every visit. */
const MOST_PROBLEMS = 50;

/**
 * The text of a report file as a report of this version. Whatever is wrong with it comes back as problems, each with
 * the path of its field; nothing is thrown.
 */
export function readLoadReport(text: string): ReadReport {
  const parsed = parseJson(text);
  return parsed.ok ? checkLoadReport(parsed.json) : { ok: false, problems: [parsed.problem] };
}

/** Parsed JSON, or any value, as a report of this version. */
export function checkLoadReport(json: unknown): ReadReport {
  const [stranger] = strangers(json);
  if (stranger !== undefined) return { ok: false, problems: [stranger] };
  const fits = validate(json);
  // zod also holds what JSON Schema leaves to its readers, such as that an address is one.
  const parsed = loadReportSchema.safeParse(json);
  if (fits && parsed.success) return { ok: true, report: parsed.data };
  const problems = parsed.success ? ajvProblems(validate.errors ?? []) : fieldProblems(parsed.error);
  const [first = unknownProblem(), ...rest] = problems;
  return { ok: false, problems: [first, ...rest] };
}

const validate = new Ajv2020({
  allErrors: true,
  // Dates carry their pattern beside the format, and addresses are zod's.
  formats: { "date-time": true, uri: true },
}).compile(loadReportJsonSchema());

type ParsedJson =
  | { readonly ok: true; readonly json: unknown }
  | { readonly ok: false; readonly problem: Problem };

function parseJson(text: string): ParsedJson {
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

/** Why a value isn't a report of this version at all, before its single fields are looked at. */
function strangers(json: unknown): Problem[] {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    return [
      {
        rule: "kind",
        expected: `a report of kind ${KIND}`,
        seen: Array.isArray(json) ? "a list" : `${json}`,
      },
    ];
  }
  const { kind, schemaVersion } = json as { readonly kind?: unknown; readonly schemaVersion?: unknown };
  if (kind !== KIND) {
    const seen = typeof kind === "string" ? `a report of kind ${kind}` : "no kind";
    return [{ rule: "kind", expected: `a report of kind ${KIND}`, seen }];
  }
  if (schemaVersion === SCHEMA_VERSION) return [];
  const age =
    typeof schemaVersion !== "number"
      ? "none"
      : schemaVersion > SCHEMA_VERSION
        ? `${schemaVersion}, which is newer: use a newer checkout to read it`
        : `${schemaVersion}, which is older: use the checkout that wrote it`;
  return [{ rule: "schema-version", expected: `schema version ${SCHEMA_VERSION}`, seen: age }];
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
