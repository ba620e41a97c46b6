/** What shows that the adapters run on the linked checkout: its files, its crates, its addon in their processes. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { z } from "zod";
import type { Adapter } from "./adapters.ts";
import { withCommand } from "./command.ts";
import { LocalError } from "./errors.ts";
import { differing } from "./files.ts";
import { ADDON, type LinkFolder } from "./paths.ts";
import type { LocalRecord } from "./record.ts";
import { crateOrigins } from "./workspace.ts";

const RELINK = "Link again; where that doesn't help, start anew with: npm run webui:local -- --reset";

/** @returns lines for the person @throws LocalError where a file or a crate isn't the checkout's */
export async function proveLinked({ copies, workspace }: LinkFolder, record: LocalRecord): Promise<string[]> {
  const crates = await crateOrigins(workspace, record);
  if (crates.wrong.length > 0) {
    const list = crates.wrong.map(
      ({ name, version, manifest_path }) => `${name} ${version} (${manifest_path})`,
    );
    throw new LocalError(`crates that aren't the checkout's: ${list.join(", ")}`, RELINK);
  }
  const names = new Set(crates.right.map(({ name }) => name));
  const files = record.packages.filter(({ name }) => !names.has(name)).flatMap((one) => one.files);
  const wrong = await differing(copies, files);
  if (wrong.length > 0)
    throw new LocalError(`linked files that aren't the checkout's: ${wrong.join(", ")}`, RELINK);
  const [crate] = crates.right;
  return [
    `${files.length} of ${files.length} linked files are the checkout's, by SHA-256`,
    `${crates.right.length} of ${crates.right.length} WebUI crates come from the checkout${crate ? `, ${crate.version}` : ""}`,
  ];
}

/**
 * Starts an adapter's server, and looks at what is mapped in its process.
 *
 * @returns a line for the person
 * @throws LocalError where it doesn't start, or maps another addon than the checkout's, or none though it needs one
 */
export async function proveServer(
  { id, runtime }: Adapter,
  record: LocalRecord,
  signal: AbortSignal,
): Promise<string> {
  const addon = record.packages.flatMap(({ files }) => files).find((file) => file.path === ADDON);
  return await withServer(id, signal, async (pid) => {
    const mapped = await mappedAddons(pid);
    const wrong = mapped.filter(({ sha256 }) => sha256 !== addon?.sha256);
    if (wrong.length > 0 || (runtime !== "native" && mapped.length === 0)) {
      const seen = mapped.map(({ file, sha256 }) => `${file} (${sha256})`).join(", ") || "no addon";
      throw new LocalError(`${id} has mapped ${seen}; the checkout's is ${addon?.sha256}`, RELINK);
    }
    return mapped.length === 0 ? `${id} runs` : `${id} runs on the checkout's addon, ${addon?.sha256}`;
  });
}

const infoSchema = z.object({ pid: z.int() });

async function withServer(
  id: string,
  signal: AbortSignal,
  work: (pid: number) => Promise<string>,
): Promise<string> {
  return await withCommand(["serve.ts", id], "pipe", signal, async ({ stdout }) => {
    const url = stdout === null ? null : await firstAddress(stdout);
    if (url === null) throw new LocalError(`${id} doesn't start`, `Look at it alone: npm run serve -- ${id}`);
    const response = await fetch(new URL("bench/info", url), { signal });
    return await work(infoSchema.parse(await response.json()).pid);
  });
}

/** The address in the line that the server's start prints; null where it ends without. */
async function firstAddress(output: NodeJS.ReadableStream): Promise<string | null> {
  for await (const line of createInterface({ input: output })) {
    const [address] = /http:\/\/\S+/.exec(line) ?? [];
    if (address !== undefined) return address;
  }
  return null;
}

/** Addons for Node among a process's mapped files, from `/proc/PID/maps`. */
async function mappedAddons(
  pid: number,
): Promise<readonly { readonly file: string; readonly sha256: string }[]> {
  const maps = await readFile(`/proc/${pid}/maps`, "utf8");
  const files = new Set(
    [...maps.matchAll(/ (\/.*(?:\.node|libwebui_node\.so))$/gm)].map(([, file]) => file as string),
  );
  return await Promise.all(
    [...files].map(async (file) => ({
      file,
      sha256: createHash("sha256")
        .update(await readFile(file))
        .digest("hex"),
    })),
  );
}
