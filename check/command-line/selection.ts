import { excerpt } from "../../lib/text/index.js";
import type { Check } from "../check.js";
import { CHECKS } from "../rules/index.js";
import { SEVERITIES } from "../severity.js";
import { UsageError } from "../usage-error.js";

/** Longer names are near nothing. */
const MAX_NAME_LENGTH = 40;

/** Changes of a character that make a name another one that may have been meant. */
const MAX_CHANGES = 2;

const RULES: readonly string[] = [...new Set(CHECKS.map(({ rule }) => rule))].sort();

const NAMES: readonly string[] = [...RULES, ...SEVERITIES, ...CHECKS.map(({ id }) => id)];

/** Whether a check is one of `names`: its id, its rule, the letter of its rule, or its severity. */
export type Selection = (check: Check) => boolean;

/**
 * Read names with commas between them.
 *
 * @throws {UsageError} for a name that no check has, with those that are like it
 */
export function readSelection(text: string | undefined, option: string): Selection | undefined {
  if (text === undefined) return undefined;
  const tests = text.split(",").map((name): Selection => {
    const fits: Selection = ({ rule, id, severity }) =>
      id === name || rule === name || severity === name || (/^[A-Z]$/.test(name) && rule.startsWith(name));
    if (CHECKS.some(fits)) return fits;
    throw new UsageError(`--${option}: there is no check for ${excerpt(name)}. ${formatNear(name)}`);
  });
  return (check) => tests.some((fits) => fits(check));
}

/** The checks that are in `rules` and not in `skip`. */
export function selectChecks(rules: Selection | undefined, skip: Selection | undefined): Check[] {
  const checks = CHECKS.filter((check) => (rules?.(check) ?? true) && !skip?.(check));
  if (checks.length === 0) throw new UsageError("--rules and --skip leave no check.");
  return checks;
}

function formatNear(name: string): string {
  const near = name.length > MAX_NAME_LENGTH ? [] : NAMES.filter((known) => isNear(name.toLowerCase(), known));
  if (near.length > 0) return `Did you mean ${near.join(", ")}?`;
  return `The rules are ${RULES.join(", ")}; the severities are ${SEVERITIES.join(", ")}.`;
}

function isNear(name: string, known: string): boolean {
  const other = known.toLowerCase();
  if (name.length < 2) return false;
  return (
    (name.length > 2 && other.includes(name)) || countChanges(name, other) <= Math.min(MAX_CHANGES, other.length - 2)
  );
}

/** How many characters must be added, removed or replaced to make `a` of `b` (Levenshtein). */
function countChanges(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const replaced = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
