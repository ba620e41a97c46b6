/** Astro streams its pages; in complete mode one is read to its end, and sent in one piece with its length. */
import { defineMiddleware } from "astro:middleware";
import { filterOfPath } from "../../../todo/contract/data.ts";
import { responseMode } from "./responseMode.ts";

export const onRequest = defineMiddleware(async ({ url }, next) => {
  const response = await next();
  if (responseMode === "progressive" || filterOfPath(url.pathname) === null) return response;
  const body = await response.arrayBuffer();
  const headers = new Headers(response.headers);
  headers.set("content-length", `${body.byteLength}`);
  return new Response(body, { status: response.status, headers });
});
