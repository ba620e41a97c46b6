/** What the contract says of a server's end. Pure. */
import type { Problem } from "../todo/contract/problem.ts";
import type { StopOutcome } from "./launch.ts";
import type { AdapterManifest } from "./manifest.ts";

/** The end that the contract asks for: within 5 s of SIGTERM, with nothing left behind, and exit code 0. */
export function judgeStop(
  { killed, leftBehind, exit }: StopOutcome,
  { deviations }: AdapterManifest,
): Problem[] {
  if (killed)
    return [{ rule: "shutdown", expected: "an end within 5 s of SIGTERM", seen: "it had to be killed" }];
  const problems: Problem[] = [];
  if (leftBehind > 0) {
    problems.push({ rule: "shutdown", expected: "no process left behind", seen: `${leftBehind} processes` });
  }
  if (exit.exitCode !== 0 && !deviations.some(({ code }) => code === "exit-status")) {
    const seen = exit.signal === null ? `exit code ${exit.exitCode}` : `an end by ${exit.signal}`;
    problems.push({ rule: "exit-status", expected: "exit code 0 after SIGTERM", seen });
  }
  return problems;
}
