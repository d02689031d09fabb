"use strict";

function median(values) {
  return quantile(values, 0.5);
}

/** Where the middle 80 % of `values` lie. */
function spread(values) {
  return [quantile(values, 0.1), quantile(values, 0.9)];
}

/** What 99 of 100 `values` do not exceed. */
function p99(values) {
  return quantile(values, 0.99);
}

/** Whether the middle 80 % of `values` lie within 10 %. */
function isSteady(values) {
  return isNarrow(spread(values));
}

function isNarrow([low, high]) {
  return high <= 1.1 * low;
}

function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = Math.floor(position);
  const above = Math.ceil(position);
  return sorted[below] + (sorted[above] - sorted[below]) * (position - below);
}

module.exports = { isNarrow, isSteady, median, p99, spread };
