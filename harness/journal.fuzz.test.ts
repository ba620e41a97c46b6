/** Random, mutated and cut bytes against the journal's reader: it gives whole lines, or a BenchError, and nothing else. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { z } from "zod";
import { BenchError } from "./errors.ts";
import { type JournalContents, type JournalShape, parseJournal } from "./journal.ts";
import { FUZZ, mutated } from "./test/fuzz.ts";

interface Head {
  readonly kind: "a-journal";
  readonly note: string;
}
interface Visit {
  readonly round: number;
  readonly note: string;
}

const SHAPE: JournalShape<Head, Visit> = {
  head: z.strictObject({ kind: z.literal("a-journal"), note: z.string() }),
  visit: z.strictObject({ round: z.int().positive(), note: z.string() }),
};

const VISITS: readonly Visit[] = [1, 2, 3].map((round) => ({ round, note: `é\u2028😀 ${round}` }));
const HEAD: Head = { kind: "a-journal", note: "ü" };
const RIGHT = Buffer.from([HEAD, ...VISITS].map((line) => `${JSON.stringify(line)}\n`).join(""));

/** Null where it is refused as it should be. */
function read(bytes: Uint8Array): JournalContents<Head, Visit> | null {
  try {
    return parseJournal(SHAPE, bytes, "x");
  } catch (error) {
    assert.ok(error instanceof BenchError && error.code === "bad-report", String(error));
    return null;
  }
}

describe("the journal's reader", () => {
  it("gives the lines that were whole, wherever the writer died", () => {
    for (let length = 0; length <= RIGHT.byteLength; length += 1) {
      const cut = RIGHT.subarray(0, length);
      const lines = cut.filter((byte) => byte === 0x0a).byteLength;
      const contents = read(cut);
      assert.deepEqual(contents?.visits ?? null, lines === 0 ? null : VISITS.slice(0, lines - 1));
      assert.equal(contents?.wholeBytes ?? 0, cut.lastIndexOf(0x0a) + 1);
    }
  });

  it("takes no bytes for a journal that don't say what it wrote, and ends where their last line does", () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.array(fc.json()).map((lines) => Buffer.from(lines.map((line) => `${line}\n`).join(""))),
      mutated(fc.constant(RIGHT)),
    );
    fc.assert(
      fc.property(bytes, (some) => {
        const contents = read(some);
        if (contents === null) return;
        assert.equal(contents.wholeBytes, some.lastIndexOf(0x0a) + 1);
        assert.equal(contents.head.kind, "a-journal");
        assert.ok(contents.visits.every(({ round }) => Number.isSafeInteger(round) && round > 0));
      }),
      FUZZ,
    );
  });
});
