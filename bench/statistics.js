"use strict";

function median(values) {
  return quantile(values, 0.5);
}

/** Where the middle 80 % of `values` lie. */
function spread(values) {
  return [quantile(values, 0.1), quantile(values, 0.9)];
}

function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = Math.floor(position);
  const above = Math.ceil(position);
  return sorted[below] + (sorted[above] - sorted[below]) * (position - below);
}

module.exports = { median, spread };
