"use strict";

const { writeFileSync } = require("node:fs");
const { PARTS } = require("./parts.js");

const HEAD = `# Reliability

What was done to break the package and the server, and how often it succeeded. \`npm run torture\` does it in about four hours, and writes this page and [that of the runs](reliability-runs.md): each with its seed, its figures and its faults.

| command | what it does |
| --- | --- |
| \`npm run torture\` | runs every part that has not held yet, and writes the pages after each |
| \`npm run torture -- fuzz kill/sqlite\` | runs these parts, and those whose names begin with one of them and a slash |
| \`npm run torture -- fuzz --seed 7\` | repeats a part with a seed |
| \`npm run torture -- --scale 0.01\` | tries a hundredth of everything in a few minutes, and leaves the pages as they are |
| \`npm run torture -- --list\` | prints the names of the parts |
| \`NODE_22=PATH NODE_24=PATH … npm run …\` | also runs the parts for Node 22, 24 and 26 with the Node binaries at these paths (\`NODE_26\` as well) |

Stop it at any time: the next run goes on with the part at which it was stopped. \`docs/data/torture.json\` keeps the results; remove it to begin anew. The parts on PostgreSQL start an instance of their own in a temporary folder and need its programs, \`initdb\` and \`postgres\`; some need \`root\`. A part that lacks something is "not run", with the reason. \`tried\` and \`held\` are counts of the unit beside them.
`;

const LEVELS_HEAD = `## Service levels

What the server promises, and what the runs measured, each on the machine that [its run](reliability-runs.md) names.
`;

const RUNS_HEAD = `# The runs of the reliability tests

Each run of [reliability](reliability.md), with the command that repeats it. A \`+\` after a commit means that the tree had changes that were not committed.
`;

/** The report as Markdown, from the results by name. */
function formatReport(state) {
  return [
    HEAD,
    "## Overview\n",
    formatOverview(state),
    ...formatLevels(state),
    ...PARTS.map(({ name, claim }) => `## ${name}\n\n${claim}\n`),
  ].join("\n");
}

/** Every run as Markdown: its counts, its figures and its faults. */
function formatRuns(state) {
  return [RUNS_HEAD, ...PARTS.map((part) => formatPart(part, state))].join("\n");
}

/** Writes the report to `file`, and the runs beside it: `report.md` and `report-runs.md`. */
async function writeReport(file, state) {
  const oxfmt = await import("oxfmt");
  const format = async (text) => (await oxfmt.format("report.md", text, { printWidth: 120, proseWrap: "never" })).code;
  writeFileSync(file, await format(formatReport(state)));
  writeFileSync(file.replace(/(\.\w+)?$/, "-runs$1"), await format(formatRuns(state)));
}

/** What the program prints at its end. */
function formatSummary(results) {
  return Object.entries(results)
    .map(([name, result]) => `${name}: ${describeOutcome(result)}`)
    .join("\n");
}

function formatOverview(state) {
  const rows = PARTS.map(({ name, runs }) => {
    const results = runs.map((run) => state[`${name}/${run.name}`]).filter((result) => result?.tried > 0);
    const [unit = ""] = results.map((result) => result.unit);
    const sum = (member) => formatNumber(results.reduce((total, result) => total + result[member], 0));
    return [`[${name}](#${name})`, sum("tried"), sum("survived"), unit, summarizeOutcomes(runs, name, state)];
  });
  return formatTable(["part", "tried", "held", "of", ""], rows);
}

/** What the runs measured beside what is promised; nothing when none did. */
function formatLevels(state) {
  const names = PARTS.flatMap(({ name, runs }) => runs.map((run) => `${name}/${run.name}`));
  const rows = names.flatMap((name) => (state[name]?.levels ?? []).map((found) => formatLevel(name, found)));
  return rows.length === 0 ? [] : [LEVELS_HEAD, formatTable(["level", "target", "measured", "", "run"], rows)];
}

function formatLevel(run, { level, target, measured, isMet }) {
  return [level, target, measured, isMet ? "met" : "**missed**", run];
}

function summarizeOutcomes(runs, part, state) {
  const outcomes = runs.map((run) => state[`${part}/${run.name}`]?.outcome ?? "not run");
  const count = (outcome) => outcomes.filter((found) => found === outcome).length;
  const words = ["held", "fell", "not run"].filter((outcome) => count(outcome) > 0);
  if (words.length === 1) return words[0] === "fell" ? "**fell**" : words[0];
  return words.map((outcome) => `${count(outcome)} of ${runs.length} ${outcome}`).join(", ");
}

function formatPart({ name, runs }, state) {
  const found = runs.map((run) => [`${name}/${run.name}`, state[`${name}/${run.name}`]]);
  const rows = found.map(([full, result]) => [full, ...formatCells(result)]);
  const head = ["run", "tried", "held", "of", "seconds", "seed", "with", ""];
  const details = found.flatMap(([full, result]) => (result ? formatDetails(full, result) : []));
  return [`## ${name}\n`, formatTable(head, rows), ...details].join("\n");
}

function formatCells(result) {
  if (result === undefined) return ["", "", "", "", "", "", "not run"];
  const { tried, survived, unit, seconds, seed, versions } = result;
  const outcome = describeOutcome(result, { short: true });
  if (result.outcome === "not run") return ["", "", "", "", "", "", outcome];
  const used = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [formatNumber(tried), formatNumber(survived), unit, String(seconds), String(seed), used.join(", "), outcome];
}

function describeOutcome(result, { short = false } = {}) {
  if (result === undefined) return "not run";
  const { outcome, reason, survived, tried, total, unit, scale } = result;
  if (outcome === "not run") return `not run: ${reason}`;
  const partly = scale < 1 ? `, ${formatNumber(scale * 100)} %${total > 0 ? ` of ${formatNumber(total)}` : ""}` : "";
  if (outcome === "fell") return `**fell**${partly}`;
  return short ? `held${partly}` : `held${partly}: ${formatNumber(survived)} of ${formatNumber(tried)} ${unit}`;
}

function formatDetails(name, { outcome, seed, scale, figures, faults, date, machine, commit }) {
  if (outcome === "not run") return [];
  const scaled = scale < 1 ? ` --scale ${scale}` : "";
  const place = commit === undefined ? machine : `commit ${commit}, ${machine}`;
  return [
    "",
    `\`npm run torture -- ${name} --seed ${seed}${scaled}\`, ${date} UTC, ${place}`,
    "",
    ...Object.entries(figures).map(([label, figure]) => `- ${label}: ${figure}`),
    ...faults.map((fault) => `- **fault**: \`${fault.replaceAll("`", "'").replaceAll(/\s+/g, " ").slice(0, 500)}\``),
  ];
}

function formatTable(head, rows) {
  const lines = [head, head.map(() => "---"), ...rows];
  return `${lines.map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`).join("\n")}\n`;
}

/** `1,234,567`, and at most two digits after the point. */
function formatNumber(number) {
  return number.toLocaleString("en-US", { maximumFractionDigits: 2 });
}

module.exports = { formatReport, formatRuns, formatSummary, writeReport };
