/** A set of small numbers, 32 in a word. */
export type Bits = Uint32Array;

/** The empty set of numbers below `count`. */
export function createBits(count: number): Bits {
  return new Uint32Array((count + 31) >>> 5);
}

export function addBit(bits: Bits, number: number): void {
  bits[number >>> 5] = wordOf(bits, number >>> 5) | (1 << (number & 31));
}

export function hasBit(bits: Bits, number: number): boolean {
  return (wordOf(bits, number >>> 5) & (1 << (number & 31))) !== 0;
}

/** A word of a set: 0 beyond its end. */
export function wordOf(bits: Bits, word: number): number {
  return bits[word] ?? 0;
}

/** The least number in a word that is not 0, below 32. */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

/** A set that grows while numbers are added. */
export interface GrowingBits {
  add(number: number): void;
  build(): Bits;
}

export function growBits(): GrowingBits {
  let bits = createBits(32);
  return {
    add(number) {
      if (number >>> 5 >= bits.length) {
        const longer = new Uint32Array(Math.max(2 * bits.length, (number >>> 5) + 1));
        longer.set(bits);
        bits = longer;
      }
      addBit(bits, number);
    },
    build: () => bits,
  };
}
