/** A process with a display and a browser of its own, to be killed: prints the mark of both and the display, and waits. */
import { markRun } from "../../harness/mark.ts";
import { launchBrowser } from "../chromium.ts";
import { openDisplay } from "../display.ts";

const mark = markRun();
const display = await openDisplay(true, mark);
const plan = { headed: true, viewport: { width: 1440, height: 900 } };
await launchBrowser({ display, plan, spkiHash: "none", mark });
process.stdout.write(`${mark.entry} ${display.env.DISPLAY}\n`);
