/** The last bytes of a stream, however long it is. */
export class Tail {
  readonly #limit: number;
  #chunks: Buffer[] = [];
  #kept = 0;
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The number of dropped bytes. */
  get cut(): number {
    return this.#total - this.#bytes().length;
  }

  push(chunk: Buffer): void {
    this.#total += chunk.length;
    this.#kept += chunk.length;
    this.#chunks.push(chunk);
    // Drops whole chunks only, so that each byte is copied once and not with every later chunk.
    while (this.#kept - (this.#chunks[0]?.length ?? 0) >= this.#limit) {
      this.#kept -= this.#chunks.shift()?.length ?? 0;
    }
  }

  text(): string {
    return this.#bytes().toString();
  }

  #bytes(): Buffer {
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [all];
    let start = Math.max(0, all.length - this.#limit);
    // The text must not begin in the middle of a character.
    const isCut = start > 0 || all.length < this.#total;
    if (isCut) while (start < all.length && ((all[start] as number) & 0xc0) === 0x80) start += 1;
    return all.subarray(start);
  }
}
