/** The two ways that a response is made: Start's own two handlers. */
import { createStartHandler, defaultRenderHandler, defaultStreamHandler } from "@tanstack/react-start/server";
import { withLength } from "./withLength.ts";

export type Respond = (request: Request) => Promise<Response>;

const stream = createStartHandler(defaultStreamHandler);
const render = createStartHandler(defaultRenderHandler);

/** React's streaming renderer. */
export const respondProgressive: Respond = async (request) => stream(request);

/** React's renderer of one string. */
export const respondComplete: Respond = async (request) => withLength(await render(request));
