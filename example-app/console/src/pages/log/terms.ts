/* The terms of a filter, which `and` joins. */

const TOKEN_REGEXP = /"(?:[^"\\]|\\.)*"?|[()]|[^\s()"]+|\s+/gs;

/** The terms that must all hold. A filter that `or` joins, or that is not complete, is one term. */
export function splitTerms(filter: string): string[] {
  const terms = [""];
  let depth = 0;
  for (const [token] of filter.matchAll(TOKEN_REGEXP)) {
    if (token === ")") depth--;
    if (depth < 0) return [filter];
    const word = depth === 0 ? token.toLowerCase() : "";
    if (word === "or") return [filter];
    if (word === "and") terms.push("");
    else terms.push(`${terms.pop() ?? ""}${token}`);
    if (token === "(") depth++;
  }
  const trimmed = terms.map((term) => term.trim());
  return depth > 0 || trimmed.includes("") ? [filter] : trimmed;
}

/** A term without the parentheses around all of it. */
export function unwrap(term: string): string {
  let depth = 0;
  let rest = term.length;
  for (const [token] of term.matchAll(TOKEN_REGEXP)) {
    rest -= token.length;
    if (token === "(") depth++;
    if (token === ")") depth--;
    if (depth === 0 && rest > 0) return term;
  }
  return depth === 0 && term.startsWith("(") ? term.slice(1, -1).trim() : term;
}

/** All terms as one filter. A term that has several parts is in parentheses if it is not the only one. */
export function joinTerms(terms: readonly string[]): string {
  if (terms.length === 1) return terms[0] ?? "";
  return terms.map((term) => (COMPARISON_REGEXP.test(term) ? term : `(${term})`)).join(" and ");
}

/** `actor.id eq "…"` */
export const COMPARISON_REGEXP = /^([\w.]+) (eq|ne) ("(?:[^"\\]|\\.)*")$/s;

export function equals(attribute: string, value: string): string {
  return `${attribute} eq ${JSON.stringify(value)}`;
}

/** The attribute and the value of {@link equals}. */
export function readEquals(term: string): readonly [attribute: string, value: string] | undefined {
  const [, attribute, operator, literal] = COMPARISON_REGEXP.exec(term) ?? [];
  if (attribute === undefined || literal === undefined || operator !== "eq") return undefined;
  try {
    return [attribute, JSON.parse(literal) as string];
  } catch {
    return undefined;
  }
}
