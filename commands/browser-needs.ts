/** What the browser's tests and the browser run need of a machine, got where that is allowed: a stage of `npm test`. */
import { findChromium } from "../harness/chromium.ts";
import { PROJECT_ROOT } from "../harness/project.ts";
import { findProgram } from "../harness/tools.ts";
import { runProgram, type Stage, type StageContext } from "./stages.ts";

interface Need {
  readonly isThere: () => boolean;
  /** Debian's. */
  readonly package: string;
  readonly missing: string;
}

const NEEDS: readonly Need[] = [
  {
    isThere: () => findChromium() !== null,
    package: "chromium",
    missing:
      "There is no Chromium: install one (Debian: sudo apt-get install chromium), or name one in CHROMIUM_PATH.",
  },
  {
    // Where there is a display too: the tests start and kill displays of their own.
    isThere: () => findProgram("Xvfb") !== null,
    package: "xvfb",
    missing: "There is no Xvfb: install it (Debian: sudo apt-get install xvfb).",
  },
];

export const BROWSER_AND_DISPLAY: Stage = {
  name: "browser and display",
  async run(context) {
    const wanted = NEEDS.filter(({ isThere }) => !isThere());
    const said = await installWhereAllowed(wanted, context);
    const missing = wanted.filter(({ isThere }) => !isThere());
    return {
      passed: NEEDS.length - missing.length,
      failed: missing.length,
      output: [...said, ...missing.map((need) => need.missing)].join("\n"),
    };
  },
};

/** Debian's packages, where this is root. @returns what apt-get said */
async function installWhereAllowed(wanted: readonly Need[], context: StageContext): Promise<string[]> {
  const names = wanted.map((need) => need.package).filter(isWanted);
  const aptGet = findProgram("apt-get");
  if (names.length === 0 || process.getuid?.() !== 0 || aptGet === null) return [];
  const options = { cwd: PROJECT_ROOT, env: { NO_COLOR: "1", DEBIAN_FRONTEND: "noninteractive" } };
  const wait = ["-o", "DPkg::Lock::Timeout=300"];
  const update = await runProgram([aptGet, ...wait, "update"], context, options);
  const install = await runProgram(
    [aptGet, ...wait, "install", "-y", "--no-install-recommends", ...names],
    context,
    options,
  );
  return [update.output, install.output];
}

/** Whoever names a Chromium wants that one, and another one wouldn't be taken instead. */
function isWanted(name: string): boolean {
  return name !== "chromium" || !process.env.CHROMIUM_PATH;
}
