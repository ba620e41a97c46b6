/** What tells a development build from one for production: texts that only the former has in it. Pure. */

/** Frameworks and compilers leave these out of what they build for production, or bundlers drop them there. */
const SIGNS: readonly string[] = [
  // Warnings of renderers and component libraries.
  "Each child in a list should have a unique",
  "Undefined component passed to createElement()",
  "You are running a development build of",
  "You appear to have multiple instances of",
  "is running in development mode.",
  "is in dev mode. Not recommended for production!",
  // The begin of a message whose text stands in a comment of the production build too; minified, its line may end.
  "lifecycle_outside_component\\n",
  "lifecycle_outside_component\n",
  // Elements compiled for development, with the place that they stand in.
  "jsxDEV(",
  // Hot module replacement, and modules that a development server hands out.
  "import.meta.hot",
  "/@vite/client",
  "__vite_ssr_import",
  "webpackHotUpdate",
  "$RefreshReg$",
  // Checks of the standard library that Rust's release profile leaves out.
  "unsafe precondition(s) violated",
];

/** Packages as they were published have both; which one runs is decided by NODE_ENV, and that is `production`. */
const PUBLISHED = /(?:^|\/)node_modules\//;

/**
 * The first sign of a development build in a built file, or null. What was built otherwise, or by something else, has
 * none of them: that there is no sign proves nothing.
 * @param path the file's, relative to the adapter's folder
 */
export function developmentSign(path: string, content: Buffer): string | null {
  if (PUBLISHED.test(path)) return null;
  return SIGNS.find((sign) => content.includes(sign, 0, "latin1")) ?? null;
}
