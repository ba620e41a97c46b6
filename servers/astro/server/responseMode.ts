import { parseServerArguments } from "../../_kit/server/arguments.ts";

/** How this process answers, by `RESPONSE_MODE`. */
export const { responseMode } = parseServerArguments([], process.env);
