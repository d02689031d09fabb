"use strict";

const formatDuration = (milliseconds) => `${milliseconds.toFixed(1)} ms`;

/** In milliseconds up to a second, then in seconds. */
const formatTime = (milliseconds) =>
  milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${Number((milliseconds / 1_000).toFixed(2))} s`;

const formatBytes = (bytes) => `${Math.round(bytes / 2 ** 20)} MB`;

module.exports = { formatBytes, formatDuration, formatTime };
