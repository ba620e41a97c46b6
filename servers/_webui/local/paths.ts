/** Where a linked checkout is kept: one ignored folder, with all that linking makes. */
import path from "node:path";

export const FAMILY = path.resolve(import.meta.dirname, "..");
export const ROOT = path.resolve(FAMILY, "..", "..");
export const LINKS = path.join(ROOT, ".cache", "links");

/** The folders and files of one link. */
export interface LinkFolder {
  readonly folder: string;
  /** What the suite reads: see harness/links.ts. */
  readonly record: string;
  /** What was built in the checkout, copied, at the paths that it has there. */
  readonly copies: string;
  /** The family's Cargo workspace, on the checkout's crates. */
  readonly workspace: string;
  /** What the adapters had built before. */
  readonly before: string;
}

export function linkFolder(folder: string): LinkFolder {
  return {
    folder,
    record: path.join(folder, "link.json"),
    copies: path.join(folder, "checkout"),
    workspace: path.join(folder, "workspace"),
    before: path.join(folder, "before"),
  };
}

export const LINK = linkFolder(path.join(LINKS, "webui"));
/** A link that is being made: the suite doesn't read what begins with a dot. */
export const NEW_LINK = linkFolder(path.join(LINKS, ".webui-new"));
/** The link before, until the one that replaces it stands. */
export const FORMER_LINK = linkFolder(path.join(LINKS, ".webui-former"));

/** Of a checkout, relative to it: what Cargo leaves for Node, and the command line. */
export const ADDON = "target/release/libwebui_node.so";
export const COMMAND_LINE = "target/release/webui";
