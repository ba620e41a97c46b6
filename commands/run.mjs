/**
 * `node commands/run.mjs SCRIPT [argument …]`: sets up what is missing, then runs a script on the pinned Node. All
 * scripts of package.json go through this, so that each works in a fresh clone.
 */
import path from "node:path";
import { pathToFileURL } from "node:url";
import { onPinnedNode, ROOT } from "./node.mjs";
import { ensureSetUp } from "./setup.mjs";

const [node, , script, ...args] = process.argv;
const file = path.join(ROOT, script);
process.exitCode = await ensureSetUp();
if (process.exitCode === 0) {
  await onPinnedNode(async () => {
    process.argv = [node, file, ...args];
    await import(pathToFileURL(file).href);
  });
}
