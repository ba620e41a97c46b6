/** The published JSON Schemas, generated from the same zod types that the code uses. */
import { z } from "zod";
import {
  adapterProvenanceSchema,
  controlSchema,
  cpuTicksSchema,
  deviationSchema,
  failedRowSchema,
  failedVisitSchema,
  failureSchema,
  keptBodiesSchema,
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

/** The parts that get a name of their own in the published schema. */
const NAMED: Readonly<Record<string, z.ZodType>> = {
  adapterProvenance: adapterProvenanceSchema,
  control: controlSchema,
  cpuTicks: cpuTicksSchema,
  deviation: deviationSchema,
  failedRow: failedRowSchema,
  failedVisit: failedVisitSchema,
  failure: failureSchema,
  keptBodies: keptBodiesSchema,
  loadReadings: loadReadingsSchema,
  machine: machineSchema,
  measuredRow: measuredRowSchema,
  measuredVisit: measuredVisitSchema,
  plan: planSchema,
  probe: probeSchema,
  problem: problemSchema,
  provenance: provenanceSchema,
  responseMode: responseModeSchema,
  rowProbe: rowProbeSchema,
  runtimeId: runtimeIdSchema,
  runtimeMode: runtimeModeSchema,
  serverIdentity: serverIdentitySchema,
  serverReadings: serverReadingsSchema,
  skippedVisit: skippedVisitSchema,
  spread: spreadSchema,
  timings: timingsSchema,
  verdictReason: verdictReasonSchema,
  visitTiming: visitTimingSchema,
  warm: warmSchema,
  warning: warningSchema,
  workerReadings: workerReadingsSchema,
};

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema of a load report. */
export function loadReportJsonSchema(): JsonSchema {
  const names = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(NAMED)) names.add(schema, { id });
  return z.toJSONSchema(loadReportSchema, { target: "draft-2020-12", metadata: names });
}

/** Every published schema by its file name below `schemas/`. */
export function publishedSchemas(): ReadonlyMap<string, JsonSchema> {
  return new Map([["ssr-load.schema.json", loadReportJsonSchema()]]);
}

/** A schema as it stands in its file. */
export function schemaText(schema: JsonSchema): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}
