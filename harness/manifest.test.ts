import assert from "node:assert/strict";
import { test } from "node:test";
import { parseManifest } from "./manifest.ts";

function manifest(env: Readonly<Record<string, string>>): string {
  return JSON.stringify({
    id: "sample",
    displayName: "Sample",
    homepage: "https://example.org",
    versionFrom: "npm:sample",
    runtime: "node",
    build: [],
    start: ["node", "server.ts"],
    artifacts: ["dist"],
    env,
  });
}

test("a manifest sets variables of its own, and none that says how servers are run", () => {
  const own = { SAMPLE_PORT: "{port}" };
  assert.deepEqual(parseManifest(manifest(own), "/servers/sample").env, own);
  for (const name of ["NODE_ENV", "RESPONSE_MODE"]) {
    assert.throws(() => parseManifest(manifest({ [name]: "development" }), "/servers/sample"), {
      code: "bad-manifest",
      message: new RegExp(`env.${name}: `),
    });
  }
});
