import type { IdentifierPattern } from "../../model/rule-shapes.js";
import { LIMITS } from "../../model/shapes.js";
import { foldIdentifier, isBoundary, matchesPattern } from "../identifier.js";

/** Logins that may match both patterns; `undefined` stands for one that matches everything. */
export function* proposeLogins(
  one: IdentifierPattern | undefined,
  other: IdentifierPattern | undefined,
): Iterable<string> {
  yield loginFor(one ?? other);
  yield loginFor(other ?? one);
  if (!one || !other) return;
  for (const [front, back] of [
    [one.value, other.value],
    [other.value, one.value],
  ]) {
    for (const between of ["", "@", ".", "@sub"]) {
      yield `${front}${between}${back}`;
      yield `${front}${between}${back}@example.com`;
    }
  }
}

function loginFor(pattern: IdentifierPattern | undefined): string {
  if (!pattern) return "joe@example.com";
  const { matchType, value } = pattern;
  if (matchType === "EQUALS") return value;
  if (matchType === "STARTS_WITH") return value.includes("@") ? value : `${value}@example.com`;
  if (value.startsWith("@")) return `joe${value}`;
  if (value.startsWith(".")) return `joe@sub${value}`;
  if (value.includes("@")) return value;
  return matchType === "SUFFIX" || value.includes(".") ? `joe@${value}` : `${value}@example.com`;
}

/** Whether a login matches all these patterns. */
export function matchesAll(login: string, patterns: readonly (IdentifierPattern | undefined)[]): boolean {
  if (login === "" || login.length > LIMITS.login) return false;
  const folded = foldIdentifier(login);
  return patterns.every((pattern) => !pattern || matchesPattern(pattern, folded));
}

/** A login of a stranger's domain, or of a subdomain, that a pattern for a domain takes too; `undefined` if it takes none. */
export function findStranger(pattern: IdentifierPattern): string | undefined {
  const login = proposeStranger(pattern);
  return login !== undefined && matchesAll(login, [pattern]) ? login : undefined;
}

function proposeStranger({ matchType, value }: IdentifierPattern): string | undefined {
  const isBounded = isBoundary(value.charCodeAt(0));
  switch (matchType) {
    case "EQUALS":
      return undefined;
    case "SUFFIX":
      if (isBounded) return undefined;
      return value.includes("@") ? `evil.${value}` : `joe@evil.${value}`;
    case "STARTS_WITH":
      return /@[^@]*\./.test(value) ? `${value}.evil.example` : undefined;
    case "CONTAINS":
      if (!/[@.]/.test(value) || value.endsWith("@")) return undefined;
      if (isBounded) return `joe${value.startsWith("@") ? "" : "@sub"}${value}.evil.example`;
      return value.includes("@") ? `evil${value}` : `joe@evil${value}`;
  }
}
