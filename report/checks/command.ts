/** The command line that a report names, held against the plan that it says was made of it. */
import type { Problem, RunPlan } from "../schema.ts";

const MS_PER_S = 1000;

/** What the plan has of a flag, as the flag's own value would be read. */
const FLAGS: Readonly<Record<string, (plan: RunPlan, value: string) => boolean>> = {
  "--runtime-mode": (plan, value) => value === plan.runtimeMode,
  "--control": (plan, value) => value === plan.control,
  "--response-mode": (plan, value) => plan.responseModes.every((mode) => mode === value),
  "--only": (plan, value) => value.split(",").every((id) => plan.adapters.includes(id.trim())),
  "--rounds": (plan, value) => Number(value) === plan.rounds,
  "--seed": (plan, value) => Number(value) === plan.seed,
  "--connections": (plan, value) => Number(value) === plan.connections,
  "--seconds": (plan, value) => Math.round(Number(value) * MS_PER_S) === plan.windowMs,
  "--warm-seconds": (plan, value) => Math.round(Number(value) * MS_PER_S) === plan.warmMs,
};

/** Each flag that was given and that the plan doesn't follow; of one given twice the last counts. */
export function checkCommand(command: readonly string[], plan: RunPlan): Problem[] {
  const given = new Map<string, string>();
  for (const [index, word] of command.entries()) {
    const [flag = "", ...rest] = word.split("=");
    if (flag in FLAGS) given.set(flag, rest.length > 0 ? rest.join("=") : (command[index + 1] ?? ""));
  }
  return [...given].flatMap(([flag, value]) =>
    FLAGS[flag]?.(plan, value) === false
      ? [{ rule: "provenance.command", expected: "flags that the plan follows", seen: `${flag} ${value}` }]
      : [],
  );
}
