import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { verifyReport } from "./any-report.ts";
import { publishedSchemas, schemaText } from "./json-schemas.ts";
import { readSummary } from "./publication/read.ts";

const SCHEMAS_DIR = path.resolve(import.meta.dirname, "../schemas");

describe("schemas/", () => {
  for (const [name, schema] of publishedSchemas()) {
    it(`${name} is what the code's types give`, () => {
      const published = readFileSync(path.join(SCHEMAS_DIR, name), "utf8");
      assert.ok(
        published === schemaText(schema),
        "it is stale; write it anew: node commands/run.mjs commands/schemas.ts",
      );
    });
  }

  for (const name of readdirSync(path.join(SCHEMAS_DIR, "samples"))) {
    it(`samples/${name} is right`, () => {
      const text = readFileSync(path.join(SCHEMAS_DIR, "samples", name), "utf8");
      if (readSummary(text).ok) return;
      const { report, problems } = verifyReport(text);
      assert.ok(
        report !== null,
        `it is stale; write it anew: node commands/run.mjs commands/schemas.ts\n${JSON.stringify(problems)}`,
      );
      assert.deepEqual(problems, []);
    });
  }
});
