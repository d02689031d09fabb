"use strict";

/** A stream of choices that a seed determines (mulberry32). */
class Random {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, without, 1. */
  fraction() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** From 0 to `below` - 1. */
  integer(below) {
    return Math.floor(this.fraction() * below);
  }

  isLikely(probability) {
    return this.fraction() < probability;
  }

  pick(list) {
    return list[this.integer(list.length)];
  }

  /** A list of `min` to `max` elements that `make` returns; short ones are more likely. */
  list(min, max, make) {
    const length = min + Math.floor((max - min + 1) * this.fraction() ** 2);
    return Array.from({ length }, (_, index) => make(this, index));
  }

  text(min, max, characters) {
    return this.list(min, max, () => this.pick(characters)).join("");
  }
}

/** One seed made of several values, so that each input has a seed of its own (FNV-1a). */
function mixSeed(...values) {
  let hash = 0x811c9dc5;
  for (const character of values.join(" ")) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  return hash >>> 0;
}

module.exports = { mixSeed, Random };
