import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { Command } from "commander";
import { nameList, positiveInteger, positiveNumber, runCli, selectAdapters, wholeNumber } from "./cli.ts";
import { BenchError } from "./errors.ts";
import { type AdapterManifest, parseManifest } from "./manifest.ts";

let printed = "";

beforeEach(() => {
  printed = "";
  const keep = (text: string | Uint8Array): boolean => {
    printed += String(text);
    return true;
  };
  mock.method(process.stderr, "write", keep);
});
afterEach(() => mock.restoreAll());

function program(): Command {
  return new Command("thing").option("--seconds <n>", "how long", positiveNumber);
}

test("what run returns is the exit code", async () => {
  assert.equal(await runCli(program(), [], async () => 0), 0);
  assert.equal(await runCli(program(), [], async () => 1), 1);
});

test("options are parsed before run is called", async () => {
  const command = program();
  let seconds: unknown;
  await runCli(command, ["--seconds", "2.5"], async () => {
    seconds = command.opts().seconds;
    return 0;
  });
  assert.equal(seconds, 2.5);
});

test("an unknown flag is wrong use and names the nearest one", async () => {
  const command = program();
  command.configureOutput({
    writeErr: (text) => {
      printed += text;
    },
  });
  assert.equal(await runCli(command, ["--secnds", "1"], async () => 0), 2);
  assert.match(printed, /unknown option '--secnds'/);
  assert.match(printed, /--seconds/);
});

test("a bad value and an argument too many are wrong use", async () => {
  for (const argv of [["--seconds", "-1"], ["extra"]]) {
    const command = program();
    command.configureOutput({
      writeErr: (text) => {
        printed += text;
      },
    });
    assert.equal(await runCli(command, argv, async () => 0), 2);
  }
});

test("--help is no error", async () => {
  const command = program();
  command.configureOutput({
    writeOut: (text) => {
      printed += text;
    },
  });
  assert.equal(await runCli(command, ["--help"], async () => 1), 0);
  assert.match(printed, /--seconds/);
});

test("a BenchError prints message and hint, no stack, and gives the exit code of its code", async () => {
  const error = new BenchError({ stage: "plan", code: "usage", message: "wrong", hint: "Do right." });
  const exitCode = await runCli(program(), [], async () => {
    throw error;
  });
  assert.equal(exitCode, 2);
  assert.match(printed, /error: wrong\n {2}Do right\.\n$/);
});

test("any other error fails with its stack", async () => {
  const exitCode = await runCli(program(), [], async () => {
    throw new TypeError("a fault");
  });
  assert.equal(exitCode, 1);
  assert.match(printed, /TypeError: a fault\n\s+at /);
});

test("SIGINT aborts the signal; the exit code is 130 whatever run makes of it", async () => {
  for (const ending of ["returns", "throws"] as const) {
    let aborted = false;
    const exitCode = await runCli(program(), [], async (signal) => {
      process.emit("SIGINT", "SIGINT");
      process.emit("SIGINT", "SIGINT");
      aborted = signal.aborted;
      if (ending === "throws") throw signal.reason;
      return 0;
    });
    assert.equal(aborted, true);
    assert.equal(exitCode, 130);
  }
});

test("an error while ending after Ctrl-C is still told", async () => {
  const exitCode = await runCli(program(), [], async () => {
    process.emit("SIGINT", "SIGINT");
    throw new BenchError({ stage: "stop", code: "left-behind", message: "still there", hint: "End it." });
  });
  assert.equal(exitCode, 130);
  assert.match(printed, /still there/);
});

test("numbers and names from flags", () => {
  assert.equal(positiveInteger("12"), 12);
  assert.equal(wholeNumber("0"), 0);
  assert.equal(positiveNumber(".5"), 0.5);
  assert.deepEqual(nameList("a, b,"), ["a", "b"]);
  for (const value of ["0", "-1", "1.5", "x", "", "1e3", "99999999999999999999"]) {
    assert.throws(() => positiveInteger(value));
  }
  for (const value of ["0", "-1", "Infinity", "NaN", ""]) assert.throws(() => positiveNumber(value));
  assert.throws(() => wholeNumber("-0"));
  assert.throws(() => nameList(" , "));
});

function adapter(id: string): AdapterManifest {
  return parseManifest(
    JSON.stringify({
      id,
      displayName: id,
      homepage: "https://example.org/",
      versionFrom: `npm:${id}`,
      runtime: "node",
      build: [],
      start: ["node", "server.ts"],
      artifacts: ["dist"],
    }),
    `/servers/${id}`,
  );
}

test("--only and --skip choose among the adapters, and name the nearest for a wrong one", () => {
  const all = ["apple", "pear", "plum"].map(adapter);
  const ids = (filter: Parameters<typeof selectAdapters>[1]) =>
    selectAdapters(all, filter).map((manifest) => manifest.id);
  assert.deepEqual(ids({}), ["apple", "pear", "plum"]);
  assert.deepEqual(ids({ only: ["plum", "apple"] }), ["apple", "plum"]);
  assert.deepEqual(ids({ skip: ["pear"] }), ["apple", "plum"]);
  assert.throws(() => ids({ only: ["aple"] }), { code: "unknown-adapter", hint: /Did you mean apple\?/ });
  assert.throws(() => ids({ only: ["pear"], skip: ["pear"] }), { code: "usage" });
});
