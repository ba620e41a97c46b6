/** Links a checkout, says what is linked, and undoes it. At every moment there is one link, whole, or none. */
import { rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import {
  type Adapter,
  buildAdapter,
  FAMILY_INPUT,
  familyAdapters,
  keepBuilds,
  restoreBuilds,
} from "./adapters.ts";
import { type Checkout, readCheckout } from "./checkout.ts";
import { LocalError } from "./errors.ts";
import { copyFiles, differing } from "./files.ts";
import { gitState } from "./git.ts";
import { FORMER_LINK, LINK, LINKS, NEW_LINK, ROOT } from "./paths.ts";
import { proveLinked, proveServer } from "./proof.ts";
import { type LocalRecord, readRecord } from "./record.ts";
import { lockWorkspace, warmTarget, writeWorkspace } from "./workspace.ts";

type Say = (line: string) => void;

/**
 * Links the checkout in `folder`, builds the adapters, and shows what they run on.
 *
 * @throws LocalError; where it is thrown before the builds, what was linked before still is. The signal's reason
 */
export async function link(folder: string, say: Say, signal: AbortSignal): Promise<void> {
  await recover();
  const checkout = await readCheckout(folder);
  say(describe(checkout.root, checkout));
  const record = await prepare(checkout);
  signal.throwIfAborted();
  await swapIn();
  for (const line of await proveLinked(LINK, record)) say(line);
  const adapters = await familyAdapters();
  const failed: Adapter[] = [];
  for (const adapter of adapters) {
    if (!(await buildAdapter(adapter.id, signal))) failed.push(adapter);
    else say(await proveServer(adapter, record, signal));
  }
  if (failed.length > 0) throw notCompiled(record, failed);
  say("Linked. Reports say so; undo it with: npm run webui:local -- --reset");
}

/** @returns whether what is linked is whole, or nothing is linked */
export async function status(say: Say): Promise<boolean> {
  await recover();
  const record = readRecord(LINK);
  if (record === null) {
    say("Nothing is linked: the adapters use the registry's packages.");
    return true;
  }
  say(describe(record.checkout, record));
  say(`linked ${record.linkedAt}`);
  for (const { name, version, files } of record.packages) say(`  ${name} ${version}, ${files.length} files`);
  const faults = await changesSince(record);
  if (faults.length === 0) {
    for (const line of await proveLinked(LINK, record)) say(line);
    return true;
  }
  say(`Since then it has changed: ${faults.join("; ")}`);
  say(`Link it again: ${record.relink}`);
  return false;
}

/** Back to the registry's packages, and what was built of them. */
export async function reset(say: Say): Promise<void> {
  await recover();
  if (await isThere(LINK.folder)) {
    await restoreBuilds(LINK);
    await rm(LINK.folder, { recursive: true });
    say("The adapters use the registry's packages again, as they were built before.");
  } else say("Nothing was linked.");
  await rmdir(LINKS).catch((error: NodeJS.ErrnoException) => {
    // Other links, or none at all.
    if (error.code !== "ENOTEMPTY" && error.code !== "ENOENT") throw error;
  });
}

function describe(
  root: string,
  { revision, dirty, reason }: Pick<LocalRecord, "revision" | "dirty" | "reason">,
): string {
  return `${root} at ${revision ?? `no revision (${reason})`}, ${dirty === true ? "with changes" : dirty === false ? "clean" : "nobody knows whether changed"}`;
}

/** Everything beside the present link, so that this one stays whole where it fails. */
async function prepare(checkout: Checkout): Promise<LocalRecord> {
  const { root, revision, dirty, reason, crates, outputs } = checkout;
  try {
    await rm(NEW_LINK.folder, { recursive: true, force: true });
    const files = outputs.flatMap((one) => one.files);
    await copyFiles(
      root,
      files.map((file) => file.path),
      NEW_LINK.copies,
    );
    const changed = await differing(NEW_LINK.copies, files);
    if (changed.length > 0) {
      throw new LocalError(
        `${changed[0]} of the checkout changed while it was read`,
        "Wait for its build, then link again.",
      );
    }
    await writeWorkspace(NEW_LINK.workspace, checkout.crateFolders);
    await lockWorkspace(NEW_LINK.workspace);
    const record: LocalRecord = {
      name: "webui",
      revision,
      dirty,
      reason,
      checkout: root,
      linkedAt: new Date().toISOString(),
      inputs: [FAMILY_INPUT],
      cargoLock: path.relative(ROOT, path.join(LINK.workspace, "Cargo.lock")),
      relink: `npm run webui:local -- --path ${JSON.stringify(root)}`,
      packages: [...crates, ...outputs],
    };
    await writeFile(NEW_LINK.record, `${JSON.stringify(record, null, 1)}\n`);
    if (!(await isThere(LINK.folder))) {
      await keepBuilds(NEW_LINK);
      await warmTarget(NEW_LINK.workspace);
    }
    return record;
  } catch (error) {
    await rm(NEW_LINK.folder, { recursive: true, force: true });
    throw error;
  }
}

async function swapIn(): Promise<void> {
  if (await isThere(LINK.folder)) await rename(LINK.folder, FORMER_LINK.folder);
  await rename(NEW_LINK.folder, LINK.folder);
  await inherit();
}

/** What the builds before, and the compiler, left in the former link; then it goes. */
async function inherit(): Promise<void> {
  if (!(await isThere(FORMER_LINK.folder))) return;
  await moveIfMissing(FORMER_LINK.before, LINK.before);
  await moveIfMissing(path.join(FORMER_LINK.workspace, "target"), path.join(LINK.workspace, "target"));
  await rm(FORMER_LINK.folder, { recursive: true });
}

/** Ends what a command that was killed had begun: back where the new link wasn't in its place yet, else forth. */
async function recover(): Promise<void> {
  if (await isThere(LINK.folder)) await inherit();
  else if (await isThere(FORMER_LINK.folder)) await rename(FORMER_LINK.folder, LINK.folder);
  await rm(NEW_LINK.folder, { recursive: true, force: true });
}

async function moveIfMissing(from: string, to: string): Promise<void> {
  if ((await isThere(from)) && !(await isThere(to))) await rename(from, to);
}

async function isThere(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null)) !== null;
}

/** A line for each kind of change of the checkout; none where it is as it was. */
async function changesSince({ checkout, revision, dirty, packages }: LocalRecord): Promise<string[]> {
  if (!(await isThere(checkout))) return ["it is gone"];
  const now = await gitState(checkout);
  const changed = await differing(
    checkout,
    packages.flatMap((one) => one.files),
  );
  return [
    ...(now.revision === revision ? [] : [`it is at revision ${now.revision} now`]),
    ...(changed.length === 0 ? [] : [`${changed.length} files, the first is ${changed[0]}`]),
    ...(now.dirty === dirty ? [] : [`its dirty flag is ${now.dirty} now`]),
  ];
}

function notCompiled({ packages, checkout }: LocalRecord, failed: readonly Adapter[]): LocalError {
  const ids = failed.map(({ id }) => id).join(",");
  const crate = packages.find(({ name }) => name === "microsoft-webui");
  return new LocalError(
    `${ids}: not built against ${crate?.name} ${crate?.version} of ${checkout}; what the adapters are written for stands in ${path.join(FAMILY_INPUT, "Cargo.toml")}`,
    `The others are linked and run: leave these out with --skip ${ids}, or go back with: npm run webui:local -- --reset`,
  );
}
