/** The published JSON Schemas, generated from the same zod types that the code uses. */
import { z } from "zod";
import {
  browserFigureSchema,
  browserPlanSchema,
  browserReadingsSchema,
  browserReportSchema,
  browserRowSchema,
  browserStackSchema,
  browserStageSchema,
  browserTimingSchema,
  rightVisitSchema,
  stepResultSchema,
  titleCountsSchema,
} from "./browser/schema.ts";
import {
  summaryFigureSchema,
  summaryInputSchema,
  summaryRowSchema,
  summarySchema,
} from "./publication/schema.ts";
import {
  adapterProvenanceSchema,
  controlSchema,
  cpuTicksSchema,
  deviationSchema,
  failedRowSchema,
  failedVisitSchema,
  failureSchema,
  keptBodiesSchema,
  linkSchema,
  loadReadingsSchema,
  loadReportSchema,
  machineSchema,
  measuredRowSchema,
  measuredVisitSchema,
  planSchema,
  probeSchema,
  problemSchema,
  provenanceSchema,
  responseModeSchema,
  rowProbeSchema,
  runProvenanceSchema,
  runtimeIdSchema,
  runtimeModeSchema,
  serverIdentitySchema,
  serverReadingsSchema,
  skippedVisitSchema,
  spreadSchema,
  timingsSchema,
  verdictReasonSchema,
  visitTimingSchema,
  warmSchema,
  warningSchema,
  workerReadingsSchema,
} from "./schema.ts";

/** The parts that get a name of their own in every published schema. */
const SHARED: Names = {
  adapterProvenance: adapterProvenanceSchema,
  deviation: deviationSchema,
  machine: machineSchema,
  problem: problemSchema,
  responseMode: responseModeSchema,
  runtimeId: runtimeIdSchema,
  runtimeMode: runtimeModeSchema,
  warning: warningSchema,
};

/** Those of load reports. */
const LOAD: Names = {
  ...SHARED,
  control: controlSchema,
  cpuTicks: cpuTicksSchema,
  failedRow: failedRowSchema,
  failedVisit: failedVisitSchema,
  failure: failureSchema,
  keptBodies: keptBodiesSchema,
  loadReadings: loadReadingsSchema,
  measuredRow: measuredRowSchema,
  measuredVisit: measuredVisitSchema,
  plan: planSchema,
  probe: probeSchema,
  provenance: provenanceSchema,
  rowProbe: rowProbeSchema,
  serverIdentity: serverIdentitySchema,
  serverReadings: serverReadingsSchema,
  skippedVisit: skippedVisitSchema,
  spread: spreadSchema,
  timings: timingsSchema,
  verdictReason: verdictReasonSchema,
  visitTiming: visitTimingSchema,
  warm: warmSchema,
  workerReadings: workerReadingsSchema,
};

/** Those of browser reports. */
const BROWSER: Names = {
  ...SHARED,
  browserStack: browserStackSchema,
  figure: browserFigureSchema,
  plan: browserPlanSchema,
  provenance: runProvenanceSchema,
  readings: browserReadingsSchema,
  row: browserRowSchema,
  stage: browserStageSchema,
  stepResult: stepResultSchema,
  timing: browserTimingSchema,
  titleCounts: titleCountsSchema,
  visit: rightVisitSchema,
};

/** Those of summaries. */
const SUMMARY: Names = {
  deviation: deviationSchema,
  figure: summaryFigureSchema,
  input: summaryInputSchema,
  link: linkSchema,
  machine: machineSchema,
  responseMode: responseModeSchema,
  row: summaryRowSchema,
  runtimeId: runtimeIdSchema,
  verdictReason: verdictReasonSchema,
  warning: warningSchema,
};

type Names = Readonly<Record<string, z.ZodType>>;

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema of a load report. */
export function loadReportJsonSchema(): JsonSchema {
  return jsonSchemaOf(loadReportSchema, LOAD);
}

/** The schema of a browser report. */
export function browserReportJsonSchema(): JsonSchema {
  return jsonSchemaOf(browserReportSchema, BROWSER);
}

/** The schema of a summary. */
export function summaryJsonSchema(): JsonSchema {
  return jsonSchemaOf(summarySchema, SUMMARY);
}

function jsonSchemaOf(schema: z.ZodType, names: Names): JsonSchema {
  const registry = z.registry<{ id: string }>();
  for (const [id, part] of Object.entries(names)) registry.add(part, { id });
  return z.toJSONSchema(schema, { target: "draft-2020-12", metadata: registry });
}

/** Every published schema by its file name below `schemas/`. */
export function publishedSchemas(): ReadonlyMap<string, JsonSchema> {
  return new Map([
    ["ssr-load.schema.json", loadReportJsonSchema()],
    ["ssr-browser.schema.json", browserReportJsonSchema()],
    ["ssr-summary.schema.json", summaryJsonSchema()],
  ]);
}

/** A schema as it stands in its file. */
export function schemaText(schema: JsonSchema): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}
