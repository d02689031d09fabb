"use strict";

/** How much of a count may be more than in the file. */
const TOLERANCE = 0.05;

/**
 * What grew by more than 5 %, a line each.
 *
 * @param known counts by the case and their name, from the file
 * @param found the same, counted now
 */
function findGrowth(known, found) {
  return Object.entries(found).flatMap(([name, counts]) =>
    Object.entries(counts)
      .filter(([unit, count]) => !(count <= known[name]?.[unit] * (1 + TOLERANCE)))
      .map(
        ([unit, count]) =>
          `${name} takes ${count} ${unit}, and ${known[name]?.[unit] ?? "nothing"} in test/counts.json`,
      ),
  );
}

module.exports = { findGrowth };
