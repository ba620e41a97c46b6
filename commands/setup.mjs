/**
 * Installs what package.json and the lockfile pin: packages, pnpm, and the runtimes that build and run the adapters.
 * Plain JavaScript for Node 20 and newer, without dependencies, because it runs before there are any.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { withLock } from "../harness/lock.mjs";
import { PINNED_NODE, pinnedVersion, ROOT } from "./node.mjs";

const OLDEST_NODE = 20;
const STAMP = path.join(ROOT, "node_modules", ".setup-stamp");

const HELP = `Usage: npm run setup -- [options]

Installs packages and runtimes at the versions that the lockfile pins. Does nothing where they are in place.

Options:
  --force            install even so
  --update-lockfile  after a change to a package.json: write the lockfile anew, then install
  --help             this

Examples:
  npm run setup
  npm run setup -- --update-lockfile
`;

/** An error for a person: what is wrong, and what to type. */
class SetupError extends Error {
  constructor(message, hint) {
    super(message);
    this.hint = hint;
  }
}

/**
 * Makes sure that all is installed; at once where it is. Another set-up of this checkout is waited for.
 * @returns the exit code: 0, or 1 with the fault and what to type on stderr
 */
export async function ensureSetUp({ force = false, updateLockfile = false } = {}) {
  try {
    checkHost();
    if (!force && !updateLockfile && isCurrent()) return 0;
    const onWait = () => process.stderr.write("set-up: another one runs in this checkout; waiting for it\n");
    await withLock(`set-up ${realpathSync(ROOT)}`, onWait, async () => {
      if (force || updateLockfile || !isCurrent()) await install(updateLockfile);
    });
    return 0;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`error: ${error.message}\n  ${error.hint}\n`);
    return 1;
  }
}

function checkHost() {
  if (process.platform !== "linux") {
    throw new SetupError(
      `this is ${process.platform}`,
      "The suite reads the Linux kernel's figures: use a Linux machine.",
    );
  }
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
    throw new SetupError(
      `this is Node ${process.versions.node}`,
      `Install Node ${OLDEST_NODE} or newer (your distribution's package, or nvm), then type the same again.`,
    );
  }
}

async function install(updateLockfile) {
  const version = pinnedVersion("pnpm");
  const mode = updateLockfile ? "--no-frozen-lockfile" : "--frozen-lockfile";
  const command = `npx --yes pnpm@${version} install ${mode}`;
  process.stderr.write(`set-up: ${command}\n`);
  const startedAt = Date.now();
  const exitCode = await runNpx(["--yes", `pnpm@${version}`, "--dir", ROOT, "install", mode]);
  if (exitCode !== 0) {
    throw new SetupError(
      `\`${command}\` ended with exit code ${exitCode}; its own lines stand above`,
      "Where it says that the lockfile is outdated: npm run setup -- --update-lockfile. Where it couldn't reach the registry, type the same again.",
    );
  }
  if (!existsSync(PINNED_NODE)) {
    throw new SetupError(
      `the install left no ${PINNED_NODE}`,
      "Start afresh: rm -rf node_modules && npm run setup",
    );
  }
  writeFileSync(STAMP, digest());
  process.stderr.write(`set-up: done in ${((Date.now() - startedAt) / 1000).toFixed(1)} s\n`);
}

/**
 * In a folder of its own, and without this checkout's programs on the PATH: npx would otherwise run the pnpm that is
 * about to be replaced, or one that an interrupted install left in pieces.
 */
async function runNpx(args) {
  const cwd = path.join(os.tmpdir(), `ssr-todo-bench-setup-${process.getuid()}`);
  mkdirSync(cwd, { recursive: true });
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  const PATH = folders
    .filter((folder) => !folder.startsWith(path.join(ROOT, "node_modules")))
    .join(path.delimiter);
  const child = spawn("npx", args, {
    cwd,
    env: { ...process.env, PATH },
    stdio: ["ignore", "inherit", "inherit"],
  });
  try {
    const [exitCode, signal] = await once(child, "exit");
    return exitCode ?? 128 + os.constants.signals[signal];
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    throw new SetupError(
      "there is no npx on the PATH",
      "Install npm (it comes with Node; on Debian: apt-get install npm).",
    );
  }
}

/** True where the stamp is of the present lockfile and manifests, and nothing that it stands for was deleted. */
function isCurrent() {
  if (!existsSync(STAMP) || !existsSync(PINNED_NODE)) return false;
  if (readFileSync(STAMP, "utf8") !== digest()) return false;
  return workspaceFolders().every(
    (folder) => !hasDependencies(folder) || existsSync(path.join(folder, "node_modules")),
  );
}

function digest() {
  const files = ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json"].map((name) =>
    path.join(ROOT, name),
  );
  const manifests = workspaceFolders().map((folder) => path.join(folder, "package.json"));
  const hash = createHash("sha256").update(`${process.platform}-${process.arch}`);
  for (const file of [...files, ...manifests]) {
    hash
      .update(`${path.relative(ROOT, file)}\0`)
      .update(readFileSync(file))
      .update("\0");
  }
  return hash.digest("hex");
}

/** Folders below servers/ that have a package.json: the workspace's packages. */
function workspaceFolders() {
  const servers = path.join(ROOT, "servers");
  if (!existsSync(servers)) return [];
  const folders = readdirSync(servers)
    .sort()
    .map((name) => path.join(servers, name));
  return folders.filter((folder) => existsSync(path.join(folder, "package.json")));
}

function hasDependencies(folder) {
  const manifest = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).length > 0;
}

/** The command itself. */
async function main(argv) {
  const known = ["--force", "--update-lockfile", "--help"];
  const unknown = argv.find((flag) => !known.includes(flag));
  if (unknown !== undefined) {
    process.stderr.write(`error: unknown option '${unknown}'\n\n${HELP}`);
    return 2;
  }
  if (argv.includes("--help")) {
    process.stdout.write(HELP);
    return 0;
  }
  const exitCode = await ensureSetUp({
    force: argv.includes("--force"),
    updateLockfile: argv.includes("--update-lockfile"),
  });
  if (exitCode === 0) process.stderr.write("set-up: all is in place. Next: npm start\n");
  return exitCode;
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  process.exitCode = await main(process.argv.slice(2));
}
