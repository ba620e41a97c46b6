/**
 * Runs `work` while no other process on this machine runs under the same name.
 *
 * @param name anything that tells the thing apart, such as a checkout's path and what is done there
 * @param onWait called once where another process has to be waited for
 * @param signal ends the waiting, with its reason
 * @returns what `work` returns; the lock is released when it has ended, or with this process
 */
export function withLock<T>(
  name: string,
  onWait: () => void,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T>;
