/** Text → summary. */
import { summaryJsonSchema } from "../json-schemas.ts";
import { makeReader } from "../reader.ts";
import { summarySchema } from "./schema.ts";

/** Text, or parsed JSON, as a summary of this version. */
export const { read: readSummary, check: checkSummary } = makeReader(
  "ssr-summary",
  summarySchema,
  summaryJsonSchema(),
);
