/**
 * Checkouts that stand in for released packages. A family's own script links one, and leaves what it linked in
 * `.cache/links/<name>/link.json`; here that is read as data, for builds and reports. How a build finds what is linked
 * is the family's own affair.
 */
import { createHash } from "node:crypto";
import { readdir, readFile, realpath } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { type Artifact, type Link, linkSchema } from "../report/schema.ts";
import { BenchError } from "./errors.ts";
import type { AdapterManifest } from "./manifest.ts";
import { nullIfAbsent, readIfPresent } from "./present.ts";
import { PROJECT_ROOT } from "./project.ts";
import { readGit } from "./source.ts";

const linkRecordSchema = linkSchema.extend({
  /** Why the revision is null; null where it isn't. */
  reason: z.string().nullable(),
  /** Absolute path of the checkout. */
  checkout: z.string(),
  linkedAt: z.iso.datetime(),
  /** Builds that have one of these among their manifest's `inputs` use what is linked. */
  inputs: z.array(z.string()).min(1),
  /** The Cargo.lock that those are built by, relative to the project's root; null where they keep their own. */
  cargoLock: z.string().nullable(),
  /** What to type to link anew. */
  relink: z.string(),
});

/** A link as its script left it. */
export type LinkRecord = z.infer<typeof linkRecordSchema>;

/** What is linked for an adapter, sorted by name. @throws BenchError `bad-link` where a record can't be understood */
export async function linksOf(manifest: AdapterManifest, root: string = PROJECT_ROOT): Promise<LinkRecord[]> {
  const folder = path.join(root, ".cache", "links");
  const names = (await readdir(folder).catch(nullIfAbsent)) ?? [];
  // What begins with a dot is being made.
  const files = names
    .filter((name) => !name.startsWith("."))
    .map((name) => path.join(folder, name, "link.json"));
  const records = await Promise.all(files.sort().map(readRecord));
  return records
    .filter((record) => record !== null)
    .filter(({ inputs }) => inputs.some((input) => manifest.inputs.includes(input)));
}

async function readRecord(file: string): Promise<LinkRecord | null> {
  const text = await readIfPresent(file);
  if (text === null) return null;
  try {
    return linkRecordSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new BenchError({
      stage: "build",
      code: "bad-link",
      message: `${file} isn't what a link leaves: ${(error as Error).message}`,
      hint: "Undo the link with the command that made it, and link again; docs/local-source.md has both.",
      cause: error,
    });
  }
}

/**
 * Holds the checkout to what it was when it was linked: there, at the same revision, with the same files.
 *
 * @throws BenchError `link-changed`, with what differs first
 */
export async function assertIntact(link: LinkRecord): Promise<void> {
  const fault = await firstFault(link);
  if (fault === null) return;
  throw new BenchError({
    stage: "build",
    code: "link-changed",
    message: `${link.name} is linked to ${link.checkout}, which isn't what it was then: ${fault}`,
    hint: `Link it again: ${link.relink}`,
  });
}

async function firstFault(link: LinkRecord): Promise<string | null> {
  if ((await realpath(link.checkout).catch(nullIfAbsent)) === null) return "it is gone";
  const { revision, dirty } = await readCheckoutState(link.checkout);
  if (revision !== link.revision) return `it was at revision ${link.revision}, and is at ${revision}`;
  for (const { files } of link.packages) {
    for (const file of files) {
      const fault = await faultOf(link.checkout, file);
      if (fault !== null) return `${file.path} ${fault}`;
    }
  }
  return dirty === link.dirty ? null : `its dirty flag was ${link.dirty}, and is ${dirty}`;
}

async function faultOf(checkout: string, { path: file, sha256 }: Artifact): Promise<string | null> {
  const content = await readFile(path.join(checkout, file)).catch(nullIfAbsent);
  if (content === null) return "is gone";
  return createHash("sha256").update(content).digest("hex") === sha256 ? null : "has changed";
}

/** A checkout's own revision and dirty flag: what lies in another's folders has none. */
async function readCheckoutState(checkout: string): Promise<Pick<Link, "revision" | "dirty">> {
  const unknown = { revision: null, dirty: "unknown" } as const;
  const state = await readGit(checkout).catch(() => null);
  if (state === null || state.top !== (await realpath(checkout))) return unknown;
  return { revision: state.revision, dirty: state.changed.length > 0 };
}

/** What a report says of a link: not where the person keeps the checkout. */
export function asLink({ name, revision, dirty, packages }: LinkRecord): Link {
  return { name, revision, dirty, packages };
}
