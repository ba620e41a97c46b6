/** Machines that lack something, and results that can't be written: a run says what is wrong, and leaves nothing. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, mkdtemp, open, rm, stat, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { execa } from "execa";
import { allowedCpus } from "../../harness/cpus.ts";
import { exists } from "../../harness/files.ts";
import { journalPath } from "../../harness/journal.ts";
import { findProgram } from "../../harness/tools.ts";
import type { RunPlan } from "../../report/schema.ts";
import type { RunEvent } from "../events.ts";
import {
  onlyJournal,
  readWhole,
  resultFiles,
  resumes,
  startCommand,
  startRun,
  withResults,
} from "./hard-stop.ts";

const CPUS = allowedCpus();
const isRun = (event: RunEvent) => event.type === "run";

/** A folder with nothing in it but links to these programs. */
async function withPrograms(
  names: readonly string[],
  work: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "hard-stop-path-"));
  try {
    for (const name of names) {
      const file = findProgram(name);
      assert.ok(file !== null, `${name} is needed for this test`);
      await symlink(file, path.join(folder, name));
    }
    await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe("the machine", () => {
  test("without taskset: refused before anything starts, with what to install", async () => {
    await withPrograms(["git"], async (folder) => {
      await withResults(async (file) => {
        const { exitCode, stderr } = await startRun({ env: { PATH: folder } }, file).gone();
        assert.equal(exitCode, 1);
        assert.match(stderr, /^error: taskset isn't installed.+\n {2}Install util-linux/);
        assert.equal(await exists(path.dirname(file)), false);
      });
    });
  });

  const last = CPUS.at(-1) as number;
  const onOneCpu = ["taskset", "-c", String(last)];

  test("with one CPU: quick measures and warns shared-cpu", async () => {
    await withResults(async (file) => {
      const { stderr } = await startRun({ before: onOneCpu }, file).gone();
      assert.equal(stderr, "");
      const { plan, visits, warnings } = await readWhole(file);
      assert.deepEqual(plan.cpus, { server: last, others: [last] });
      assert.deepEqual(
        visits.map(({ status }) => status),
        ["measured"],
      );
      assert.ok(warnings.some(({ code }) => code === "shared-cpu"));
    });
  });

  test("with one CPU: official refuses before anything starts", async () => {
    await withResults(async (file) => {
      const args = ["--runtime-mode", "official", "--response-mode", "complete"];
      const { exitCode, stderr } = await startRun({ args, before: onOneCpu }, file).gone();
      assert.equal(exitCode, 1);
      assert.match(stderr, /^error: an official run needs at least two CPUs.+\n {2}Allow this process/);
      assert.equal(await exists(path.dirname(file)), false);
    });
  });

  test("with CPUs that don't start at 0: the first of them is the server's", async () => {
    // All but the first, where there are more.
    const some = CPUS.length > 1 ? CPUS.slice(1) : CPUS;
    const before = ["taskset", "-c", some.join(",")];
    const command = startCommand({ args: ["--dry-run", "--json"], before });
    const [line] = (await once(command.stdout, "data")) as [Buffer];
    assert.equal((await command.gone()).exitCode, 0);
    const { cpus } = (JSON.parse(String(line)) as { readonly plan: RunPlan }).plan;
    assert.equal(cpus.server, some[0]);
    assert.ok(cpus.others.every((cpu) => some.includes(cpu)));
  });
});

/** A disk that can be filled up. */
interface SmallDisk {
  /** While the command of this process id writes `file`. */
  fill(pid: number, file: string): Promise<void>;
  free(): Promise<void>;
}

const DISK_BYTES = 512 * 1024;

/** A small tmpfs on `folder`; where nothing may be mounted, files that may not grow do the same to the command. */
async function withSmallDisk(folder: string, work: (disk: SmallDisk) => Promise<void>): Promise<void> {
  await mkdir(folder, { recursive: true });
  const mount = ["-t", "tmpfs", "-o", `size=${DISK_BYTES}`, "tmpfs", folder];
  const { exitCode } = await execa("mount", mount, { reject: false });
  if (exitCode !== 0) {
    await work({ fill: forbidGrowth, free: async () => undefined });
    return;
  }
  const filler = path.join(folder, "filler");
  try {
    await work({ fill: () => fillUp(filler), free: () => rm(filler) });
  } finally {
    await execa("umount", [folder]);
  }
}

async function forbidGrowth(pid: number, file: string): Promise<void> {
  const { size } = await stat(file);
  await execa("prlimit", ["--pid", String(pid), `--fsize=${size}:`]);
}

async function fillUp(file: string): Promise<void> {
  const handle = await open(file, "w");
  try {
    for (;;) await handle.write(Buffer.alloc(4096));
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, "ENOSPC");
  } finally {
    await handle.close();
  }
}

describe("the results", () => {
  test("on a disk that fills up: an error, a whole journal, and --resume", async () => {
    await withResults(async (file) => {
      await withSmallDisk(path.dirname(file), async (disk) => {
        const run = startRun({}, file);
        const { plan } = await run.until(isRun);
        await run.untilStage("measure");
        await disk.fill(run.pid, journalPath(file));
        const { exitCode, stderr } = await run.gone();
        assert.equal(exitCode, 1);
        assert.match(stderr, /^error: \S+journal\S+ can't be written: (ENOSPC|EFBIG).+\n {2}Free some space/);
        await disk.free();
        assert.deepEqual((await onlyJournal(file)).visits, []);
        await resumes(file, plan);
      });
    });
  });

  test("in a folder that goes away: it is made again for the report", async () => {
    await withResults(async (file) => {
      const run = startRun({}, file);
      await run.untilStage("warm");
      await rm(path.dirname(file), { recursive: true });
      assert.equal((await run.gone()).stderr, "");
      assert.deepEqual(await resultFiles(file), ["run.json"]);
      const [visit] = (await readWhole(file)).visits;
      assert.equal(visit?.status, "measured");
    });
  });

  test("in a folder that becomes a file: an error that names it, the file is left alone", async () => {
    await withResults(async (file) => {
      const folder = path.dirname(file);
      const run = startRun({}, file);
      await run.untilStage("warm");
      await rm(folder, { recursive: true });
      await writeFile(folder, "somebody's");
      const { exitCode, stderr } = await run.gone();
      assert.equal(exitCode, 1);
      assert.match(stderr, /^error: \S+run\.json can't be written: .+\n {2}Free some space, mend/);
      assert.equal(await exists(folder), true);
    });
  });
});
