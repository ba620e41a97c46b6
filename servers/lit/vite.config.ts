import { defineConfig } from "vite";
import { adapterBuild } from "../_kit/vite.ts";
import { hydrateSupportFirst } from "./build/hydrate-support-first.ts";

export default defineConfig({ ...adapterBuild(), plugins: [hydrateSupportFirst()] });
