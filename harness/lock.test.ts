import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { test } from "node:test";
import { withLock } from "./lock.mjs";

const ignore = (): void => undefined;

test("those who name the same lock run one after another", async () => {
  const name = randomUUID();
  let running = 0;
  let most = 0;
  const work = async (): Promise<void> => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
  };
  await Promise.all(Array.from({ length: 8 }, () => withLock(name, ignore, work)));
  assert.equal(most, 1);
});

test("different names don't wait for each other", async () => {
  let waited = false;
  const inner = () =>
    withLock(
      randomUUID(),
      () => (waited = true),
      async () => 7,
    );
  assert.equal(await withLock(randomUUID(), ignore, inner), 7);
  assert.equal(waited, false);
});

test("a failure releases the lock", async () => {
  const name = randomUUID();
  await assert.rejects(
    withLock(name, ignore, async () => {
      throw new Error("no");
    }),
    /no/,
  );
  assert.equal(
    await withLock(
      name,
      () => assert.fail("waited"),
      async () => 1,
    ),
    1,
  );
});

test("a holder that is killed releases the lock", async () => {
  const name = randomUUID();
  const module = `${import.meta.dirname}/lock.mjs`;
  const script = `import { withLock } from ${JSON.stringify(module)};
    await withLock(${JSON.stringify(name)}, () => {}, async () => { console.log("held"); await new Promise(() => setInterval(() => {}, 1e6)); });`;
  const holder = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(holder.stdout, "data");
  let waited = false;
  const done = withLock(
    name,
    () => {
      waited = true;
      holder.kill("SIGKILL");
    },
    async () => "mine",
  );
  assert.equal(await done, "mine");
  assert.equal(waited, true);
});

test("who waits can give up", async () => {
  const name = randomUUID();
  const waiting = new AbortController();
  const reason = new Error("enough");
  await withLock(name, ignore, async () => {
    const second = withLock(
      name,
      () => waiting.abort(reason),
      () => assert.fail("never had it"),
      waiting.signal,
    );
    await assert.rejects(second, (error) => error === reason);
  });
});
