import path from "node:path";

/** @type {import("next").NextConfig} */
export default {
  distDir: "dist",
  // It stands in every page; else it would be another one after each build.
  generateBuildId: () => "todo",
  poweredByHeader: false,
  generateEtags: false,
  compress: false,
  // Next redirects before it looks whether there is anything.
  skipTrailingSlashRedirect: true,
  // A server writes nothing into its build.
  experimental: { isrFlushToDisk: false },
  // Components and styles stand beside this folder.
  turbopack: { root: path.resolve(import.meta.dirname, "../..") },
  // `npm run check` looks at the types of all adapters.
  typescript: { ignoreBuildErrors: true },
};
