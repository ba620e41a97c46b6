import assert from "node:assert/strict";
import { test } from "node:test";
import { parseServerArguments, UsageError } from "./arguments.ts";

test("host, port and response mode have their defaults", () => {
  assert.deepEqual(parseServerArguments([], {}), {
    host: "127.0.0.1",
    port: 0,
    responseMode: "progressive",
  });
  assert.deepEqual(parseServerArguments(["--port", "41000"], { RESPONSE_MODE: "complete" }), {
    host: "127.0.0.1",
    port: 41000,
    responseMode: "complete",
  });
});

test("wrong use is named", () => {
  const wrong = (argv: string[], mode: string | undefined, message: RegExp): void => {
    assert.throws(
      () => parseServerArguments(argv, { RESPONSE_MODE: mode }),
      (error: unknown) => error instanceof UsageError && message.test(error.message),
    );
  };
  wrong(["--host", "0.0.0.0"], undefined, /only 127\.0\.0\.1/);
  wrong(["--port", "70000"], undefined, /--port is "70000"/);
  wrong(["--port", "8e3"], undefined, /--port is "8e3"/);
  wrong(["--port", ""], undefined, /--port is ""/);
  wrong(["--prot", "1"], undefined, /--prot/);
  wrong([], "streaming", /RESPONSE_MODE is "streaming"/);
  wrong([], "", /RESPONSE_MODE is ""/);
});
