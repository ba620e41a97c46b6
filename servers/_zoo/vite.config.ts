/** Builds the template's client, as it is, into the folder that a test names in `ZOO_FOLDER`. */
import path from "node:path";
import template from "../_template/vite.config.ts";

const folder = process.env.ZOO_FOLDER;
if (folder === undefined) throw new Error("ZOO_FOLDER is not set: name the folder to build into.");

export default {
  ...template,
  root: path.resolve(import.meta.dirname, "../_template"),
  environments: {
    client: {
      build: { ...template.environments?.client?.build, outDir: path.join(folder, "dist/client") },
    },
  },
};
