/**
 * Goes on with the pinned Node, whichever Node this is. Plain JavaScript for Node 20 and newer, without dependencies: it
 * works, or says what to type, where nothing is installed yet.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { constants } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
export const PINNED_NODE = path.join(ROOT, "node_modules", "node", "bin", "node");

const FORWARDED_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGWINCH"];

/** The exact version that package.json pins one of the root's dependencies to. */
export function pinnedVersion(name) {
  return JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")).devDependencies[name];
}

/**
 * Runs `main(argv)` of the TypeScript module at `moduleUrl` on the pinned Node. The process's exit code is what it
 * resolves to.
 */
export async function runPinned(moduleUrl, argv = process.argv.slice(2)) {
  await onPinnedNode(async () => {
    const { main } = await import(moduleUrl.href);
    process.exitCode = await main(argv);
  });
}

/**
 * Calls `work` if this is the pinned Node, else starts the present script again on it and passes its exit code on. Where
 * it isn't installed: exit code 1, and on stderr what to type.
 */
export async function onPinnedNode(work) {
  if (isPinnedNode()) {
    endWithParent();
    await work();
  } else if (existsSync(PINNED_NODE)) {
    process.exitCode = await runAgainPinned();
  } else {
    process.stderr.write("error: the project isn't set up yet\n  Set it up: npm run setup\n");
    process.exitCode = 1;
  }
}

/** By path: a Node of the same version that the person has elsewhere is another binary than the one that is verified. */
function isPinnedNode() {
  return existsSync(PINNED_NODE) && realpathSync(PINNED_NODE) === realpathSync(process.execPath);
}

/** A parent that was killed can't forward a signal any more: its end, seen on the channel, counts as one. */
function endWithParent() {
  if (!process.channel) return;
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel.unref();
}

/**
 * The child leads a group of its own. A terminal's Ctrl-C then reaches this process alone, and is forwarded, so that
 * the child gets every signal exactly once, whether it was typed or sent to this process.
 */
async function runAgainPinned() {
  const child = spawn(PINNED_NODE, process.argv.slice(1), {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    detached: true,
  });
  const forward = (signal) => child.kill(signal);
  for (const signal of FORWARDED_SIGNALS) process.on(signal, forward);
  try {
    const [exitCode, signal] = await once(child, "exit");
    return exitCode ?? 128 + constants.signals[signal];
  } finally {
    for (const signal of FORWARDED_SIGNALS) process.off(signal, forward);
  }
}
