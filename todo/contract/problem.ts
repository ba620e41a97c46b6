/** One breach of the contract: which rule, what was right, what was seen. */
export interface Problem {
  readonly rule: string;
  readonly expected: string;
  readonly seen: string;
}
