import type { Handle } from "@sveltejs/kit/hooks";
import { responseMode } from "./lib/server/responseMode.ts";

const DOCUMENT_END = /<\/body>\s*<\/html>\s*$/;
const END_TAGS = new TextEncoder().encode("</body></html>");

/**
 * A page without an ETag; and a streamed one whose end tags come last. SvelteKit sends the streamed data behind its
 * template, which ends the document before them.
 */
export const handle: Handle = async ({ event, resolve }) => {
  // Without a route, an error page answers, which streams nothing.
  const streams = responseMode === "progressive" && event.route.id !== null;
  const response = await resolve(event, {
    transformPageChunk: ({ html }) => (streams ? html.replace(DOCUMENT_END, "") : html),
  });
  response.headers.delete("etag");
  if (!streams || !response.headers.has("x-sveltekit-page")) return response;
  return new Response(response.body && withEndTags(response.body), response);
};

function withEndTags(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      controller.enqueue(done ? END_TAGS : value);
      if (done) controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
