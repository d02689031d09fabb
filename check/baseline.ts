import { readFileSync, statSync, writeFileSync } from "node:fs";
import { isObject, parseJson } from "../lib/json/index.js";
import { excerpt } from "../lib/text/index.js";
import type { CheckResult, Report } from "./engine.js";
import { UsageError } from "./usage-error.js";

/** In bytes: every finding of a thousand paths. */
export const MAX_BASELINE_LENGTH = 4_194_304;

const VERSION = 1;

/** The ids of known findings by the path on which they were found. */
export type Baseline = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Read what {@link writeBaseline} wrote.
 *
 * @param isNew whether the file may be missing
 * @throws {UsageError}
 */
export function readBaseline(file: string, isNew: boolean): Baseline {
  const value = parse(file, isNew);
  if (value === undefined) return new Map();
  if (!isObject(value) || value["version"] !== VERSION || !isObject(value["findings"])) {
    throw new UsageError(`--baseline: ${excerpt(file)} is no baseline of version ${VERSION}.`);
  }
  return new Map(
    Object.entries(value["findings"]).map(([path, ids]) => [path, new Set(Array.isArray(ids) ? ids.map(String) : [])]),
  );
}

/** The baseline with what a run found on `path`. What the run could not check stays. */
export function updateBaseline(baseline: Baseline, path: string, { results }: Report): Baseline {
  const checked = new Set(results.filter(({ outcome }) => outcome !== "skipped").map(({ check }) => check.id));
  const kept = [...(baseline.get(path) ?? [])].filter((id) => !checked.has(id));
  const found = results.filter(({ outcome }) => outcome === "finding").map(({ check }) => check.id);
  return new Map([...baseline, [path, new Set([...kept, ...found])]]);
}

/** Known findings of `path` that a run did not find any more. */
export function listMended(baseline: Baseline, path: string, { results }: Report): string[] {
  const isMended = ({ check, outcome }: CheckResult) => outcome === "passed" && baseline.get(path)?.has(check.id);
  return results.filter(isMended).map(({ check }) => check.id);
}

/** Sorted, so that a change is a line. */
export function writeBaseline(file: string, baseline: Baseline): void {
  const findings = Object.fromEntries(
    [...baseline]
      .filter(([, ids]) => ids.size > 0)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, ids]) => [path, [...ids].sort()]),
  );
  try {
    writeFileSync(file, `${JSON.stringify({ version: VERSION, findings }, null, 2)}\n`);
  } catch (error) {
    throw new UsageError(`--baseline: ${excerpt(file)} can't be written (${codeOf(error)}).`);
  }
}

function parse(file: string, isNew: boolean): unknown {
  let text: string;
  try {
    if (statSync(file).size > MAX_BASELINE_LENGTH) {
      throw new UsageError(`--baseline: ${excerpt(file)} is longer than ${MAX_BASELINE_LENGTH} bytes.`);
    }
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (isNew && codeOf(error) === "ENOENT") return undefined;
    throw new UsageError(
      `--baseline: ${excerpt(file)} can't be read (${codeOf(error)}); --update-baseline writes one.`,
    );
  }
  try {
    return parseJson(text);
  } catch {
    return {};
  }
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code);
}
