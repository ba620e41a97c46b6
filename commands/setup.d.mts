/**
 * Makes sure that packages and runtimes are installed at the pinned versions; at once where they are. Another set-up of
 * this checkout is waited for.
 *
 * @returns the exit code: 0, or 1 with the fault and what to type on stderr
 */
export function ensureSetUp(options?: {
  /** Install even where all is in place. */
  readonly force?: boolean;
  /** After a change to a package.json: write the lockfile anew, then install. */
  readonly updateLockfile?: boolean;
}): Promise<number>;
