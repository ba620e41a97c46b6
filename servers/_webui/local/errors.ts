/** The one error that `webui:local` throws on purpose: what is wrong, and the next thing to do. */

export class LocalError extends Error {
  readonly hint: string;
  /** 1: the checkout or the machine is at fault; 2: wrong use; above 128: a signal. */
  readonly exitCode: number;

  constructor(message: string, hint: string, exitCode = 1) {
    super(message);
    this.name = "LocalError";
    this.hint = hint;
    this.exitCode = exitCode;
  }
}
