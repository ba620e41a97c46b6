import assert from "node:assert/strict";
import { test } from "node:test";
import { type AutocannonClient, checkClient, loadClient } from "./autocannon.ts";

const noop = (): undefined => undefined;

function clientWith(parser: object): AutocannonClient {
  return { timeoutTicker: { reschedule: noop, clear: noop }, parser } as unknown as AutocannonClient;
}

class Parser {
  static readonly kOnHeadersComplete = 2;
  static readonly kOnBody = 3;
  static readonly kOnMessageComplete = 4;
  readonly state = "RESPONSE_LINE";
  readonly isChunked = false;
  readonly body_bytes = null;
  readonly headerSize = 0;
  readonly execute = noop;
  readonly consumeLine = noop;
  readonly initialize = noop;
  readonly BODY_CHUNKHEAD = noop;
  readonly 2 = noop;
  readonly 3 = noop;
  readonly 4 = noop;
}

test("the installed autocannon has a client", () => {
  assert.equal(typeof loadClient(), "function");
});

test("a client of the right shape tells its hooks", () => {
  assert.deepEqual(checkClient(clientWith(new Parser())), {
    kOnHeadersComplete: 2,
    kOnBody: 3,
    kOnMessageComplete: 4,
  });
});

test("whatever is missing is named, with the file to look at", () => {
  for (const field of [
    "execute",
    "consumeLine",
    "initialize",
    "BODY_CHUNKHEAD",
    "isChunked",
    "headerSize",
    "3",
  ]) {
    const parser = Object.create(Parser.prototype, Object.getOwnPropertyDescriptors(new Parser())) as object;
    Reflect.deleteProperty(parser, field);
    assert.throws(
      () => checkClient(clientWith(parser)),
      (error) =>
        error instanceof Error &&
        error.message.includes(`parser.${field}`) &&
        error.message.includes("autocannon.ts"),
    );
  }
  assert.throws(
    () => checkClient({ parser: new Parser() } as unknown as AutocannonClient),
    /no timeoutTicker/,
  );
});
