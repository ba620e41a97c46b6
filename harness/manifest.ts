/**
 * `servers/<id>/adapter.json`: one folder is one adapter. A folder that has the file exists; one whose name starts
 * with `_` doesn't. No list of adapters is kept anywhere else.
 */
import { readdir } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { deviationSchema, runtimeIdSchema } from "../report/schema.ts";
import { BenchError } from "./errors.ts";
import { readIfPresent } from "./present.ts";

/** Program and arguments, never a shell string. */
export const argvSchema = z.tuple([z.string().min(1)], z.string());
export type Argv = z.infer<typeof argvSchema>;

/** Variables that say how a server is to be run. */
const SUITES_OWN: ReadonlySet<string> = new Set(["NODE_ENV", "RESPONSE_MODE"]);

export const manifestSchema = z.strictObject({
  /** For editors; not read. */
  $schema: z.string().optional(),
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  displayName: z.string().min(1),
  homepage: z.url(),
  /**
   * `npm:<package>` or `cargo:<crate>`: the dependency whose locked version is shown. A package is looked up under the
   * adapter's own folder in pnpm-lock.yaml, so its package.json must list it. A crate is looked up in the nearest
   * Cargo.lock, in the adapter's folder or above it, else from its `inputs` upwards, in their order.
   */
  versionFrom: z.string().regex(/^(npm|cargo):.+$/),
  runtime: runtimeIdSchema,
  /** Run in order in the adapter's folder. */
  build: z.array(argvSchema),
  /**
   * Run in the adapter's folder. `{host}` and `{port}` are replaced here and in the values of `env`. `node`, `bun`
   * and `deno` as the program are the pinned binaries; anything else is a path relative to the folder.
   */
  start: argvSchema,
  env: z
    .record(
      z.string().refine((name) => !SUITES_OWN.has(name), "the suite sets it, the same for all"),
      z.string(),
    )
    .default({}),
  /**
   * Starts a bare server, of the same build, that calls the same renderer on the same tree and sends the same bytes,
   * with nothing of the suite's in between: `pnpm bench:self` measures what the suite's own part costs against it.
   */
  bareStart: argvSchema.optional(),
  /** Where the client's hashed files are served. */
  assetPath: z
    .string()
    .regex(/^\/.+\/$/)
    .default("/assets/"),
  /**
   * Folders and files below the adapter's folder that the server loads or serves, hashed after the build. Glob
   * characters aren't understood.
   */
  artifacts: z.array(z.string().min(1)).min(1),
  /** Inputs of the build outside the adapter's folder and its dependencies, relative to the project's root. */
  inputs: z.array(z.string().min(1)).default([]),
  deviations: z.array(deviationSchema).default([]),
});

export type AdapterManifest = Readonly<z.infer<typeof manifestSchema>> & {
  /** Absolute path of the adapter's folder. */
  readonly folder: string;
};

/** The text of one `adapter.json` as a manifest. @throws BenchError `bad-manifest`, naming file, field and fault */
export function parseManifest(text: string, folder: string): AdapterManifest {
  const file = path.join(folder, "adapter.json");
  const refuse = (message: string, cause?: unknown): never => {
    throw new BenchError({
      stage: "plan",
      code: "bad-manifest",
      message: `${file}: ${message}`,
      hint: "Correct the file; docs/adding-an-adapter.md describes each field.",
      cause,
    });
  };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return refuse(`not JSON: ${(error as Error).message}`, error);
  }
  const parsed = manifestSchema.safeParse(json);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(
      (issue) => `${issue.path.join(".") || "(file)"}: ${issue.message}`,
    );
    return refuse(faults.join("; "), parsed.error);
  }
  if (parsed.data.id !== path.basename(folder)) {
    return refuse(`id: is "${parsed.data.id}", but the folder is "${path.basename(folder)}"`);
  }
  return Object.freeze({ ...parsed.data, folder });
}

/** All adapters below `serversDir`, sorted by id. @throws BenchError `bad-manifest` */
export async function discoverAdapters(serversDir: string): Promise<AdapterManifest[]> {
  const entries = await readdir(serversDir, { withFileTypes: true });
  const folders = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("_"))
    .map((entry) => entry.name);
  const found = await Promise.all(
    folders.sort().map(async (name) => {
      const folder = path.join(serversDir, name);
      const text = await readIfPresent(path.join(folder, "adapter.json"));
      return text === null ? null : parseManifest(text, folder);
    }),
  );
  return found.filter((manifest) => manifest !== null);
}
