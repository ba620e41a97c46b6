import { defineConfig } from "vite";
import solid from "vite-plugin-solid";
import { adapterBuild } from "../_kit/vite.ts";

export default defineConfig({ ...adapterBuild(), plugins: [solid({ ssr: true })] });
