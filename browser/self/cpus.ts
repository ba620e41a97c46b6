/** The suite's own benchmarks run pinned beside a server; a browser run isn't, so its benchmarks get all CPUs back. */
import { type CpuAssignment, pinSelf } from "../../harness/cpus.ts";

/** Runs `work`, and whatever it starts, on every CPU of the benchmarks. @throws BenchError `affinity`, `missing-tool` */
export async function onAllCpus<T>({ server, others }: CpuAssignment, work: () => Promise<T>): Promise<T> {
  await pinSelf([...new Set([server, ...others])]);
  try {
    return await work();
  } finally {
    await pinSelf(others);
  }
}
