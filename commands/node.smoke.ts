import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { PROJECT_ROOT } from "../harness/project.ts";
import { isExecutable } from "../harness/tools.ts";

/** Prints the Node it runs on and its process, then ends with its argument as exit code, or waits for signals. */
const MAIN = `
export async function main(argv) {
  let signals = 0;
  process.on("SIGINT", () => { signals += 1; console.log("SIGINT"); });
  process.on("SIGTERM", () => { console.log("ended after " + signals + " SIGINT"); process.exit(143); });
  console.log(process.version + " " + process.pid);
  if (argv[0] === "wait") await new Promise(() => setInterval(() => {}, 1e6));
  return Number(argv[0]);
}`;

let folder = "";
let script = "";

before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "node-"));
  script = path.join(folder, "cli.mjs");
  await writeFile(path.join(folder, "main.mjs"), MAIN);
  const helper = pathToFileURL(path.join(PROJECT_ROOT, "commands/node.mjs")).href;
  await writeFile(
    script,
    `import { runPinned } from ${JSON.stringify(helper)};\nawait runPinned(new URL("./main.mjs", import.meta.url));\n`,
  );
});
after(() => rm(folder, { recursive: true }));

/** A Node other than the pinned one, or null on a machine that has none. */
function otherNode(): string | null {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  const outside = folders.filter((entry) => path.isAbsolute(entry) && !entry.includes("node_modules"));
  return outside.map((entry) => path.join(entry, "node")).find((file) => isExecutable(file)) ?? null;
}

function start(node: string, ...args: string[]): { child: ChildProcess; lines: AsyncIterator<string> } {
  const child = spawn(node, [script, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  assert.ok(child.stdout);
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}

async function nextLine(lines: AsyncIterator<string>): Promise<string> {
  return String((await lines.next()).value);
}

const nodes = [process.execPath, otherNode()].filter((node) => node !== null);

for (const node of nodes) {
  test(`${node} runs the module on the pinned Node and passes its exit code on`, async () => {
    const { child, lines } = start(node, "7");
    assert.match(await nextLine(lines), new RegExp(`^${process.version} `));
    const [exitCode] = await once(child, "exit");
    assert.equal(exitCode, 7);
  });

  test(`${node} hands each signal on once`, async () => {
    const { child, lines } = start(node, "wait");
    await nextLine(lines);
    child.kill("SIGINT");
    // Of two signals that wait at the same time, the kernel lets the handler of the later one run first.
    assert.equal(await nextLine(lines), "SIGINT");
    child.kill("SIGTERM");
    assert.equal(await nextLine(lines), "ended after 1 SIGINT");
    const [exitCode] = await once(child, "exit");
    assert.equal(exitCode, 143);
  });
}

test("a child whose parent was killed ends", async (context) => {
  const other = otherNode();
  if (other === null) {
    context.diagnostic("this machine has no second Node to be the parent");
    return;
  }
  const { child, lines } = start(other, "wait");
  const pid = Number((await nextLine(lines)).split(" ")[1]);
  assert.notEqual(pid, child.pid);
  child.kill("SIGKILL");
  assert.equal(await nextLine(lines), "ended after 0 SIGINT");
});
