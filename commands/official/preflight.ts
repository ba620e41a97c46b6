/** What would make an official run's hour worthless, found before its first minute is spent. */
import { allowedCpus } from "../../harness/cpus.ts";
import { type Check, examine } from "../../harness/doctor.ts";
import { assertIntact, type LinkRecord, linksOf } from "../../harness/links.ts";
import type { AdapterManifest } from "../../harness/manifest.ts";
import type { SourceState } from "../../harness/source.ts";

/** One thing to know before the run. */
export interface Finding {
  /** True where nothing that is measured could be published. */
  readonly blocks: boolean;
  readonly message: string;
  /** The next thing to do. */
  readonly hint: string;
}

/**
 * Looks at prerequisites, CPUs, the machine's load, disk, display, the source and what is linked. Takes about a second.
 * @throws BenchError `link-changed`, `bad-link` where a linked checkout isn't what it was
 */
export async function preflight(
  manifests: readonly AdapterManifest[],
  source: SourceState,
): Promise<Finding[]> {
  const checks = await examine();
  const links = await allLinks(manifests);
  for (const link of links) await assertIntact(link);
  return [
    ...checkFindings(checks),
    ...cpuFindings(allowedCpus().length),
    ...sourceFindings(source),
    ...linkFindings(links),
  ];
}

async function allLinks(manifests: readonly AdapterManifest[]): Promise<LinkRecord[]> {
  const records = (await Promise.all(manifests.map((manifest) => linksOf(manifest)))).flat();
  return [...new Map(records.map((record) => [record.name, record])).values()];
}

/** Everything that is missing blocks: an official run needs the browser and the display too. */
export function checkFindings(checks: readonly Check[]): Finding[] {
  return checks
    .filter(({ status }) => status !== "ok")
    .map(({ name, status, found, hint }) => ({
      blocks: status === "missing",
      message: `${name}: ${found}`,
      hint: hint ?? "npm run doctor",
    }));
}

export function cpuFindings(allowed: number): Finding[] {
  if (allowed > 1) return [];
  return [
    {
      blocks: true,
      message: "one CPU, which the server and the load would share",
      hint: "Use a machine with two CPUs or more, or make a quick run.",
    },
  ];
}

export function sourceFindings({ dirty, reason }: SourceState): Finding[] {
  if (dirty === false) return [];
  const message =
    dirty === "unknown"
      ? `nobody could say which source was measured: ${reason}`
      : "the source has changes that aren't committed, so nobody could say what was measured";
  return [
    {
      blocks: true,
      message,
      hint: "Commit or undo them (git status); results/, docs/ and *.md don't count.",
    },
  ];
}

export function linkFindings(links: readonly LinkRecord[]): Finding[] {
  return links.map(({ name, checkout, revision, dirty, relink }) =>
    dirty === false
      ? {
          blocks: false,
          message: `${name} is linked to ${checkout} (${revision}): its own source is measured, not the released packages`,
          hint: "Every report says so.",
        }
      : {
          blocks: true,
          message: `${name} is linked to ${checkout}, whose source has changes that aren't committed`,
          hint: `Commit them there and link it again: ${relink}`,
        },
  );
}
