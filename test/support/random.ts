/** A stream of choices that a seed determines (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, without, 1. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** From 0 to `below` - 1. */
  integer(below: number): number {
    return Math.floor(this.fraction() * below);
  }

  isLikely(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick = <T>(from: readonly T[]): T => from[this.integer(from.length)]!;

  /** Mostly ASCII, at times with characters of two, three and four bytes, or half a pair. */
  text(length = 20): string {
    const wide = this.isLikely(0.3);
    const characters = wide
      ? ["a", "é", "日", "😀", "\ud800", "<", "&", "\u2028", '"']
      : ["a", "b", "<", " ", "7", "&"];
    return Array.from({ length: this.integer(length) }, () => this.pick(characters)).join("");
  }
}
