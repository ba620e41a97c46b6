/** Replies that are broken on the wire. */
import type { Socket } from "node:net";
import type { Exchange, Fault, Faults, Right } from "../fault.ts";
import { PAGE_HEADERS, textOf } from "../right.ts";

/** How many bytes of a reply that is cut short never come. */
const MISSING_BYTES = 5_000;

/** A right reply to the exchange, byte for byte, in the server's response mode. */
function wholeReply(right: Right, { page }: Exchange): Buffer {
  const body = Buffer.from(textOf(right.render(right.data(page))));
  if (right.responseMode === "complete")
    return Buffer.concat([head({ "content-length": body.byteLength }), body]);
  return Buffer.concat([
    head({ "transfer-encoding": "chunked" }),
    Buffer.from(`${body.byteLength.toString(16)}\r\n`),
    body,
    Buffer.from(`\r\n${TERMINATOR}`),
  ]);
}

const TERMINATOR = "0\r\n\r\n";

function head(headers: Readonly<Record<string, string | number>>): Buffer {
  const lines = Object.entries({ ...PAGE_HEADERS, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.from(`HTTP/1.1 200 OK\r\n${lines.join("")}\r\n`);
}

/** Writes to the socket itself, past Node's HTTP. */
function raw(
  what: string,
  write: (socket: Socket, whole: Buffer, right: Right, exchange: Exchange) => void,
): Fault {
  return {
    what,
    make: (right) => ({
      respond(exchange) {
        const { socket } = exchange.request;
        // A client that breaks off is what such a server deserves.
        socket.on("error", () => undefined);
        write(socket, wholeReply(right, exchange), right, exchange);
      },
    }),
  };
}

/** Right but for what happens beside the reply. */
function beside(what: string, respond: (right: Right, exchange: Exchange) => void): Fault {
  return { what, make: (right) => ({ respond: (exchange) => respond(right, exchange) }) };
}

export const WIRE_FAULTS = {
  "cut-by-fin": raw("a body cut short by FIN", (socket, whole) =>
    socket.end(whole.subarray(0, -MISSING_BYTES)),
  ),
  "cut-by-rst": raw("a body cut short by RST", (socket, whole) =>
    socket.write(whole.subarray(0, -MISSING_BYTES), () => socket.resetAndDestroy()),
  ),
  "no-document-end": beside("an honest length without the document's end", (right, exchange) => {
    const document = right.render(right.data(exchange.page));
    right.send(exchange, { ...document, end: document.end.replace("</body></html>", "") });
  }),
  "no-framing": raw("neither length nor chunks", (socket, _, right, { page }) =>
    socket.end(Buffer.concat([head({}), Buffer.from(textOf(right.render(right.data(page))))])),
  ),
  "no-terminator": raw("no chunk terminator", (socket, whole) =>
    socket.write(whole.subarray(0, -TERMINATOR.length)),
  ),
  "early-hints": raw("103 before the 200", (socket, whole) => {
    socket.write("HTTP/1.1 103 Early Hints\r\nlink: </assets/todo.css>\r\n\r\n");
    socket.write(whole);
  }),
  "two-replies": raw("two replies to one request", (socket, whole) => {
    socket.write(Buffer.concat([whole, whole]));
  }),
  garbage: raw("bytes that aren't HTTP", (socket) =>
    socket.write("This is not HTTP.\r\n\r\nNot at all.\r\n"),
  ),
  silent: beside("a reply that never comes", () => undefined),
  "byte-a-second": raw("one byte a second", (socket, whole) => {
    let sent = 0;
    const timer = setInterval(() => {
      socket.write(whole.subarray(sent, sent + 1));
      sent += 1;
    }, 1_000);
    socket.once("close", () => clearInterval(timer));
  }),
} satisfies Faults;
