/** Text → browser report. */
import { browserReportJsonSchema } from "../json-schemas.ts";
import { makeReader } from "../reader.ts";
import { browserReportSchema } from "./schema.ts";

/** Text, or parsed JSON, as a browser report of this version. */
export const { read: readBrowserReport, check: checkBrowserReport } = makeReader(
  "ssr-browser",
  browserReportSchema,
  browserReportJsonSchema(),
);
