/** Text → load report. */
import { loadReportJsonSchema } from "./json-schemas.ts";
import { makeReader } from "./reader.ts";
import { loadReportSchema } from "./schema.ts";

/** Text, or parsed JSON, as a load report of this version. */
export const { read: readLoadReport, check: checkLoadReport } = makeReader(
  "ssr-load",
  loadReportSchema,
  loadReportJsonSchema(),
);
