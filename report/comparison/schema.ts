/** The shape of a comparison of two reports, as `--json` prints it. */
import { z } from "zod";
import { responseModeSchema } from "../schema.ts";

const amount = z.number().nonnegative();

export const comparedFigureSchema = z.strictObject({
  /** Path of the figure in a row. */
  path: z.string(),
  /** Medians over the rounds, in the row's unit. */
  a: amount,
  b: amount,
  /** B ÷ A, of all pairs of rounds their median; null where a reading is 0. */
  ratio: amount.nullable(),
  low: amount.nullable(),
  high: amount.nullable(),
  /** The interval's exact level; null with fewer than six rounds on a side. */
  level: z.number().min(0).max(1).nullable(),
  /** What may be said of it; null where there is no interval, for then nothing may. */
  word: z.enum(["higher", "lower", "no difference shown"]).nullable(),
});

const cell = { adapter: z.string(), responseMode: responseModeSchema };

export const comparedRowSchema = z.discriminatedUnion("status", [
  z.strictObject({ status: z.literal("compared"), ...cell, figures: z.array(comparedFigureSchema) }),
  z.strictObject({ status: z.literal("not-comparable"), ...cell, reason: z.string() }),
]);

export const comparisonSchema = z.discriminatedUnion("status", [
  z.strictObject({
    status: z.literal("compared"),
    a: z.string(),
    b: z.string(),
    rounds: z.strictObject({ a: z.int().positive(), b: z.int().positive() }),
    /** What differs between the two and is meant to be compared: source, versions, dependencies. */
    changed: z.array(z.string()),
    rows: z.array(comparedRowSchema),
  }),
  z.strictObject({
    status: z.literal("not-comparable"),
    a: z.string(),
    b: z.string(),
    reasons: z.array(z.string()).min(1),
  }),
]);

export type ComparedFigure = z.infer<typeof comparedFigureSchema>;
export type ComparedRow = z.infer<typeof comparedRowSchema>;
export type Comparison = z.infer<typeof comparisonSchema>;
