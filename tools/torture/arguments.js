"use strict";

const path = require("node:path");
const { parseArgs } = require("node:util");

const ROOT = path.join(__dirname, "../..");

const USAGE = `npm run torture -- [PART …] [--seed N] [--scale N] [--report FILE] [--state FILE] [--list]

  PART           run this part, or those whose names begin with it and a slash. Without one, all parts run that
                 have not run at this scale before
  --seed N       begin from this seed, 0 to 4294967295; without it, a new one
  --scale N      try this share of what a part tries, above 0, at most 1; 0.01 for a quick check of all parts
  --report FILE  write the report to FILE, and the runs beside it; at scale 1 docs/reference/reliability.md
  --state FILE   keep the results in FILE; at scale 1 docs/data/torture.json, else reports/torture.json
  --list         print the names of the parts and run none`;

/** The command line is wrong. The message is for the person who wrote it. */
class UsageError extends Error {}

/**
 * @param args without the names of Node and of the program
 * @returns `{ names, seed, scale, state, report, list, help }`; `seed` and `report` can be undefined
 * @throws {UsageError}
 */
function parseArguments(args) {
  const { values, positionals: names } = read(args);
  const scale = parseNumber(
    "--scale",
    values.scale ?? "1",
    (number) => number > 0 && number <= 1,
    "above 0, at most 1",
  );
  const seed = values.seed === undefined ? undefined : readSeed(values.seed);
  return {
    names,
    seed,
    scale,
    state: path.resolve(values.state ?? path.join(ROOT, scale === 1 ? "docs/data" : "reports", "torture.json")),
    report: values.report
      ? path.resolve(values.report)
      : scale === 1
        ? path.join(ROOT, "docs/reference/reliability.md")
        : undefined,
    list: values.list ?? false,
    help: values.help ?? false,
  };
}

function read(args) {
  const text = { type: "string" };
  const toggle = { type: "boolean" };
  const options = { seed: text, scale: text, report: text, state: text, list: toggle, help: toggle };
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(`${error.message}\n\n${USAGE}`);
  }
}

function parseNumber(flag, text, isValid, expected) {
  const number = /^[0-9]*\.?[0-9]+$/.test(text) ? Number(text) : NaN;
  if (isValid(number)) return number;
  throw new UsageError(`${flag} is ${JSON.stringify(text)}; it must be ${expected}.\n\n${USAGE}`);
}

function readSeed(text) {
  return parseNumber("--seed", text, isSeed, "a whole number from 0 to 4294967295");
}

function isSeed(number) {
  return Number.isInteger(number) && number >= 0 && number < 2 ** 32;
}

module.exports = { parseArguments, UsageError, USAGE };
