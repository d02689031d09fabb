"use strict";

const { median } = require("../../bench/statistics.js");

/** The duration that 99 of 100 do not exceed. */
function p99(durations) {
  const sorted = [...durations].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))];
}

const formatDuration = (milliseconds) => `${milliseconds.toFixed(1)} ms`;

module.exports = { formatDuration, median, p99 };
