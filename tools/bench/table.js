"use strict";

const { isNarrow } = require("../kit/statistics.js");

const HEAD = ["case", "ours", "peer", "", "unit", "ratio", "middle 80 %", "requests/s", "target", "reached"];
const RIGHT = new Set([1, 3, 5, 6, 7]);

/** The rows as a Markdown table. */
function formatTable(rows) {
  return formatMarkdown(HEAD, rows.map(formatCells), RIGHT);
}

/**
 * A table in Markdown.
 *
 * @param right the columns that are aligned right
 */
function formatMarkdown(names, rows, right) {
  const lines = [names, ...rows];
  const widths = names.map((_, column) => Math.max(3, ...lines.map((cells) => cells[column].length)));
  const rule = widths.map((width, column) => (right.has(column) ? `${"-".repeat(width - 1)}:` : "-".repeat(width)));
  const [head, ...body] = lines.map((cells) =>
    cells.map((cell, column) => (right.has(column) ? cell.padStart(widths[column]) : cell.padEnd(widths[column]))),
  );
  return [head, rule, ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function formatCells({ case: name, ours, peer, peerName, unit, ratio, spread, throughput, target, reached }) {
  return [
    name,
    formatFigure(ours),
    peerName ?? "",
    peer === null ? "" : formatFigure(peer),
    unit,
    ratio === null ? "" : `${formatFigure(ratio)} ×`,
    `${throughput && !isNarrow(spread) ? "noisy: " : ""}${formatFigure(spread[0])}–${formatFigure(spread[1])}`,
    throughput ? `${Math.round(throughput.ours)} / ${Math.round(throughput.peer)}` : "",
    target ?? "",
    reached === null ? "" : reached ? "yes" : "**no**",
  ];
}

/** Three digits that count. */
function formatFigure(value) {
  if (value >= 100) return value.toFixed(0);
  return value.toFixed(value >= 10 ? 1 : value >= 1 ? 2 : 3);
}

module.exports = { formatFigure, formatMarkdown, formatTable };
