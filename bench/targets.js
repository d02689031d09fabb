"use strict";

/** A target for the ratio: ours is at least `factor` times as good as the peer. */
function atLeast(factor) {
  return { text: `≥ ${factor} ×`, isReached: ({ ratio }) => ratio >= factor };
}

/** A target for our own figure, in the unit of the case. */
function atMost(figure) {
  return { text: `≤ ${figure}`, isReached: ({ ours }) => ours <= figure };
}

/** Flat: what grows a thousandfold makes it no slower than 1.2 times. For a ratio of the small one to the large one. */
const FLAT = atLeast(0.83);

/** Linear: ten times the input takes no more than twelve times as long. For a ratio of the short one to the long one. */
const LINEAR = atLeast(0.083);

module.exports = { atLeast, atMost, FLAT, LINEAR };
