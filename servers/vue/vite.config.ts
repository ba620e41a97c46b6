import vue from "@vitejs/plugin-vue";
import { defineConfig } from "vite";
import { adapterBuild } from "../_kit/vite.ts";

export default defineConfig({ ...adapterBuild(), plugins: [vue()] });
