/** Servers that run something else than what was built. */
import { cpSync, openSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { hashArtifacts } from "../../_kit/server/info.ts";
import type { Faults } from "../fault.ts";

export const BUILD_FAULTS: Faults = {
  "build-by-mode": {
    what: "another build in each mode, listed as it is",
    make: ({ responseMode }) => ({
      info(right) {
        if (responseMode === "progressive") return right;
        cpSync("dist", "dist-complete", { recursive: true });
        return { ...right, artifacts: hashArtifacts(process.cwd(), ["dist-complete"]) };
      },
    }),
  },
  "artifact-not-listed": {
    what: "a list that leaves out one file of the build",
    make: () => ({ info: (right) => ({ ...right, artifacts: right.artifacts.slice(1) }) }),
  },
  "other-file-open": {
    what: "a file open in its folder that its list doesn't have",
    make() {
      const file = path.resolve("other.js");
      writeFileSync(file, "// What it really runs.\n");
      openSync(file, "r");
      return {};
    },
  },
  "other-file-mapped": {
    what: "a native addon mapped that its list doesn't have",
    make() {
      const template = new URL("../../_template/package.json", import.meta.url);
      // A bundler that is written in Rust for the most part.
      createRequire(template)("vite");
      return {};
    },
  },
};
