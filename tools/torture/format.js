"use strict";

const formatDuration = (milliseconds) => `${milliseconds.toFixed(1)} ms`;

const formatBytes = (bytes) => `${Math.round(bytes / 2 ** 20)} MB`;

module.exports = { formatBytes, formatDuration };
