/** The server that costs next to nothing, built and launched like an adapter's but never one. */
import path from "node:path";
import { buildAdapters } from "../../harness/build.ts";
import { type AdapterManifest, manifestSchema } from "../../harness/manifest.ts";
import { SERVERS_DIR } from "../../harness/project.ts";

const MANIFEST: AdapterManifest = Object.freeze({
  ...manifestSchema.parse({
    id: "trivial-server",
    displayName: "Trivial server",
    homepage: "https://doc.rust-lang.org/std/net/",
    versionFrom: "cargo:trivial-server",
    runtime: "native",
    build: [["cargo", "build", "--release", "--locked"]],
    start: ["target/release/trivial-server"],
    artifacts: ["target/release/trivial-server"],
  }),
  folder: path.join(SERVERS_DIR, "_trivial"),
});

/** Builds it where it isn't built. @throws BenchError `build-failed`, `missing-tool` */
export async function builtTrivialServer(signal: AbortSignal): Promise<AdapterManifest> {
  await buildAdapters([MANIFEST], { signal, onEvent: () => undefined });
  return MANIFEST;
}
