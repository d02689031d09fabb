"use strict";

const { formatFigure, formatMarkdown } = require("./table.js");

/**
 * What became of the rows since another run. Two figures whose middle 80 % overlap are the same but for noise.
 *
 * @param before rows by which `rows` are judged, found by their key
 * @returns a table in Markdown
 */
function formatComparison(rows, before) {
  const earlier = new Map(before.map((row) => [row.key, row]));
  const compared = rows.filter(({ key }) => earlier.has(key));
  const lines = compared.map((row) => formatLine(row, earlier.get(row.key)));
  return formatMarkdown(["row", "before", "now", "change", "verdict"], lines, new Set([1, 2, 3]));
}

function formatLine(row, earlier) {
  const [was, is] = [earlier, row].map(({ ratio, ours }) => ratio ?? ours);
  return [row.key, formatOne(earlier), formatOne(row), `${formatFigure(is / was)} ×`, judge(row, earlier)];
}

function formatOne({ ratio, ours, unit, spread }) {
  const range = spread.map(formatFigure).join("–");
  return `${ratio === null ? `${formatFigure(ours)} ${unit}` : `${formatFigure(ratio)} ×`} (${range})`;
}

/** More is better of a ratio, less of a figure. */
function judge(row, earlier) {
  const [[wasLow, wasHigh], [low, high]] = [earlier.spread, row.spread];
  if (low <= wasHigh && wasLow <= high) return "noise";
  return low > wasHigh === (row.ratio !== null) ? "**better**" : "**worse**";
}

module.exports = { formatComparison };
