/**
 * LitElement looks for its support for hydration once, when it is evaluated. Evaluated before that, it draws a second
 * list beside the server's, and nothing says so. The order of imports in the source doesn't settle it: a bundler that
 * moves LitElement into a chunk of its own has that chunk evaluated before the module that imports it. So the built
 * client is what is looked at.
 */
import type { Plugin } from "vite";

/** What the order of evaluation depends on in one output chunk. */
export interface Chunk {
  /** The files of the chunks that it imports statically, in order. */
  readonly imports: readonly string[];
  /** Its own modules, in the order of their evaluation. */
  readonly moduleIds: readonly string[];
}

const LIT_ELEMENT = /\/lit-element\/lit-element\.js$/;
const SUPPORT = /\/ssr-client\/lit-element-hydrate-support\.js$/;

/** Fails a client build whose entry doesn't evaluate the support for hydration, and then LitElement. */
export function hydrateSupportFirst(): Plugin {
  return {
    name: "hydrate-support-first",
    applyToEnvironment: ({ config }) => config.consumer === "client",
    generateBundle(_options, bundle) {
      const chunks = new Map(
        Object.entries(bundle).flatMap(([file, output]) => (output.type === "chunk" ? [[file, output]] : [])),
      );
      for (const [file, { isEntry }] of chunks) {
        const fault = isEntry ? orderFault(evaluationOrder(file, chunks)) : null;
        if (fault !== null) this.error(`${file}: ${fault}`);
      }
    },
  };
}

/** The modules that an entry evaluates, in order: those of what it imports come before its own. */
export function evaluationOrder(entry: string, chunks: ReadonlyMap<string, Chunk>): string[] {
  const seen = new Set<string>();
  const visit = (file: string): string[] => {
    const chunk = chunks.get(file);
    if (chunk === undefined || seen.has(file)) return [];
    seen.add(file);
    return [...chunk.imports.flatMap(visit), ...chunk.moduleIds];
  };
  return visit(entry);
}

function orderFault(modules: readonly string[]): string | null {
  const support = modules.findIndex((id) => SUPPORT.test(id));
  const litElement = modules.findIndex((id) => LIT_ELEMENT.test(id));
  if (support < 0) return "LitElement's support for hydration isn't in it; import it first of all.";
  if (litElement < 0) return "LitElement isn't in it; let the entry import its elements.";
  if (litElement > support) return null;
  return "LitElement is evaluated before its support for hydration; import that first, and keep both in one chunk.";
}
