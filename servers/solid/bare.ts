import { serveBare } from "../_kit/server/bare.ts";
import { renderComplete, renderProgressive } from "./app/render.tsx";

serveBare({ dist: import.meta.dirname, progressive: renderProgressive, complete: renderComplete });
