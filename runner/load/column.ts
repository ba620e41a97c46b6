/**
 * Numbers appended one by one, without ever moving what is there: growing a plain array in the middle of the window
 * copies it, which is a pause between the clocks.
 */
const BLOCK_LENGTH = 65_536;

export class Column {
  readonly #blocks: Float64Array[] = [];
  #block = new Float64Array(BLOCK_LENGTH);
  #used = 0;

  push(value: number): void {
    if (this.#used === BLOCK_LENGTH) {
      this.#blocks.push(this.#block);
      this.#block = new Float64Array(BLOCK_LENGTH);
      this.#used = 0;
    }
    this.#block[this.#used] = value;
    this.#used += 1;
  }

  /** All values in the order in which they came. */
  toArray(): Float64Array<ArrayBuffer> {
    const all = new Float64Array(this.#blocks.length * BLOCK_LENGTH + this.#used);
    for (const [index, block] of this.#blocks.entries()) all.set(block, index * BLOCK_LENGTH);
    all.set(this.#block.subarray(0, this.#used), this.#blocks.length * BLOCK_LENGTH);
    return all;
  }
}
