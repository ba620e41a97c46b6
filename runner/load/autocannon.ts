/**
 * autocannon's own client (`lib/httpClient.js`), as far as the guards of `connection.ts` rely on its inside: one
 * client is one connection with one parser. Its runner above it isn't used: that one counts in whole milliseconds and
 * by ticks. Everything used is checked at the start, so that another version fails at once and by name.
 */
import type { EventEmitter } from "node:events";
import { createRequire } from "node:module";
import type { Socket } from "node:net";

/** What the parser says of a head that it has read. */
export interface ParsedHead {
  readonly versionMajor: number;
  readonly versionMinor: number;
  readonly statusCode: number;
  /** Names and values in turn, as received. */
  readonly headers: readonly string[];
  readonly shouldKeepAlive: boolean;
}

/** http-parser-js, a state machine that calls its hooks while `execute` runs. */
export interface ResponseParser {
  /** The next byte of the chunk to be parsed; the loop of `execute` ends at the chunk's end. */
  offset: number;
  readonly end: number;
  readonly isChunked: boolean;
  /** The declared length, null without one. */
  readonly body_bytes: number | null;
  /** The name of what it expects next, such as `BODY_CHUNKHEAD`. */
  readonly state: string;
  /** Of heads since the last message; grows by whole chunks, so it is put back before every request. */
  headerSize: number;
  /** Returns (doesn't throw) an Error for what it can't parse. */
  execute: (chunk: Buffer) => number | Error;
  /** The next whole line without its end, undefined where the chunk holds only the beginning of it. */
  consumeLine: () => string | undefined;
  initialize(type: "RESPONSE"): void;
  [hook: number]: (...args: never[]) => unknown;
}

/** The parser's numbers for its hooks. */
export interface ParserHooks {
  readonly kOnHeadersComplete: number;
  readonly kOnBody: number;
  readonly kOnMessageComplete: number;
}

export interface AutocannonClient extends EventEmitter {
  readonly conn: Socket;
  readonly parser: ResponseParser;
  timeoutTicker: { reschedule(ms: number): void; clear(): void };
  _connect: () => void;
  _doRequest: () => void;
  _destroyConnection: () => void;
  getRequestBuffer: () => Buffer | string;
  destroy(): void;
}

export interface ClientSettings {
  readonly hostname: string;
  readonly port: number;
  /** In seconds. */
  readonly timeout: number;
  /** Called within the constructor, before the parser has its hooks and before the first `_connect`. */
  readonly setupClient: (client: AutocannonClient) => void;
}

type ClientConstructor = new (settings: ClientSettings) => AutocannonClient;

function refuse(missing: string): never {
  throw new Error(
    `autocannon's client has no ${missing}: runner/load/autocannon.ts describes version 9.0.0; pin that one, or bring the guards up to date`,
  );
}

function isRecord(value: unknown): value is Record<string | number, unknown> {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

function requireFunctions(owner: unknown, name: string, functions: readonly (string | number)[]): void {
  if (!isRecord(owner)) refuse(name);
  for (const key of functions) if (typeof owner[key] !== "function") refuse(`${name}.${key}`);
}

/** @throws Error naming what is missing, where autocannon isn't as the guards need it */
export function loadClient(): ClientConstructor {
  const Client: unknown = createRequire(import.meta.url)("autocannon/lib/httpClient.js");
  if (typeof Client !== "function") return refuse("constructor");
  requireFunctions(Client.prototype, "prototype", [
    "_connect",
    "_doRequest",
    "_destroyConnection",
    "getRequestBuffer",
    "destroy",
    "on",
  ]);
  return Client as ClientConstructor;
}

/** The numbers of the parser's hooks. @throws Error naming what is missing in a client that is about to connect */
export function checkClient(client: AutocannonClient): ParserHooks {
  requireFunctions(client.timeoutTicker, "timeoutTicker", ["reschedule", "clear"]);
  const parser: unknown = client.parser;
  requireFunctions(parser, "parser", ["execute", "consumeLine", "initialize"]);
  if (!isRecord(parser)) return refuse("parser");
  requireFunctions(parser, "parser", ["BODY_CHUNKHEAD"]);
  for (const field of ["state", "isChunked", "body_bytes", "headerSize"])
    if (!(field in parser)) refuse(`parser.${field}`);
  const hooks: unknown = parser.constructor;
  if (!isRecord(hooks)) return refuse("parser.constructor");
  const numberOf = (name: string): number => {
    const hook = hooks[name];
    if (typeof hook !== "number") return refuse(`parser.constructor.${name}`);
    requireFunctions(parser, "parser", [hook]);
    return hook;
  };
  return {
    kOnHeadersComplete: numberOf("kOnHeadersComplete"),
    kOnBody: numberOf("kOnBody"),
    kOnMessageComplete: numberOf("kOnMessageComplete"),
  };
}
