/** Where things are in this checkout. */
import path from "node:path";

/** Absolute path of the project's root. */
export const PROJECT_ROOT = path.resolve(import.meta.dirname, "..");
export const SERVERS_DIR = path.join(PROJECT_ROOT, "servers");
export const RESULTS_DIR = path.join(PROJECT_ROOT, "results");
/** Build records and other things that can be made again; ignored by git. */
export const CACHE_DIR = path.join(PROJECT_ROOT, ".cache");
