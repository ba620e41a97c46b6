/** A load run's provenance that passes its schema, for tests. */
import { PROVENANCE as RUN_PROVENANCE } from "../../harness/test/provenance.ts";
import type { Provenance } from "../../report/schema.ts";

export const PROVENANCE: Provenance = { ...RUN_PROVENANCE, loadGenerator: "autocannon 9.0.0" };
