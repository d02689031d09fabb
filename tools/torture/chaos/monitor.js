"use strict";

const { performance } = require("node:perf_hooks");
const { clearInterval, setInterval } = require("node:timers");
const { setTimeout: sleep } = require("node:timers/promises");

/** In milliseconds: the pause between two scrapes of a node. */
const PAUSE = 1_000;

/** In milliseconds: how often this process looks whether it stood still, from when on that counts, and how long it lasts. */
const TICK = 50;
const STALL = 150;
const AFTER_STALL = 500;

const STALE_REGEXP = /^etiquette_cache_lookups_total\{[^}]*result="stale"[^}]*\} (\d+)/gm;

/**
 * Notice when this process stands still: the way to the database leads through it, so all nodes are in trouble then.
 *
 * @returns a function that ends it, and returns the longest time in milliseconds
 */
function watchStalls(nodes, troubles) {
  let last = performance.now();
  let longest = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    const stall = now - last - TICK;
    longest = Math.max(longest, stall);
    for (const { name } of stall > STALL ? nodes : []) {
      troubles.begin(name, last);
      troubles.end(name, now + AFTER_STALL);
    }
    last = now;
  }, TICK);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

/**
 * Scrape each node again and again: while it counts stale look-ups it says itself that it is without its database. That is a
 * trouble from the scrape before on.
 *
 * @returns a function that ends it
 */
function watchStaleness(nodes, troubles) {
  let isStopped = false;
  const loops = nodes.map(async (node) => {
    for (let known, before = performance.now(); !isStopped; await sleep(PAUSE)) {
      const text = await node.ask("/metrics");
      const now = performance.now();
      const count = Array.from(text.matchAll(STALE_REGEXP)).reduce((sum, [, number]) => sum + Number(number), 0);
      if (known !== undefined && count > known) troubles.begin(node.name, before);
      else troubles.end(node.name, now);
      [known, before] = [count, now];
    }
  });
  return async () => {
    isStopped = true;
    await Promise.all(loops);
  };
}

module.exports = { PAUSE, watchStaleness, watchStalls };
