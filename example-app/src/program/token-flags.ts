import { ALL_SCOPES, scopePrefix, SCOPES } from "../model/scopes.js";
import { NAME_SHAPE } from "../model/shapes.js";
import { SettingsError, type GivenValue } from "./settings.js";
import type { SettingFacts } from "./settings-table.js";
import type { TokenRequest } from "./tokens.js";

/** The flags of `token create` that are not settings. */
export const TOKEN_FLAGS = {
  org: { placeholder: "NAME", help: "subdomain of the org; required" },
  expires: { placeholder: "TIME", help: "how long it is good: 90m, 12h, 30d, at most 3650d; without it for ever" },
  name: { placeholder: "TEXT", help: "its name in lists, of at most 128 characters; one of its own without it" },
  scopes: { placeholder: "LIST", help: "what it is good for, such as svc.users.read,svc.logs.read; without it all" },
} as const satisfies Record<string, Pick<SettingFacts, "placeholder" | "help">>;

/** A flag without its dashes. */
export type TokenFlag = keyof typeof TOKEN_FLAGS;

const TIME_REGEXP = /^([1-9]\d{0,6})([mhd])$/;
const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const MAX_LIFETIME = 3_650 * UNIT_MS.d;

/** Half of a character that takes four bytes in UTF-8, which the service does not support (rule S5). */
const SURROGATE_REGEXP = /[\ud800-\udfff]/;

/**
 * Parse the flags of `token create`.
 *
 * @throws {SettingsError} for the first flag that is missing or invalid, with the accepted values
 */
export function parseTokenFlags(given: ReadonlyMap<TokenFlag, GivenValue>, namespace: string): TokenRequest {
  const org = given.get("org");
  if (org === undefined) throw new SettingsError("token create needs the subdomain of an org, such as --org demo");
  return {
    org: org.text,
    name: parse(given.get("name"), parseName, "must be one line of 1 to 128 characters without white space around it"),
    lifetime: parse(given.get("expires"), parseTime, "must be a time of 1m to 3650d, such as 90m, 12h or 30d"),
    scopes: parseScopes(given.get("scopes"), scopePrefix(namespace)),
  };
}

function parse<T>(
  given: GivenValue | undefined,
  read: (text: string) => T | undefined,
  expected: string,
): T | undefined {
  if (given === undefined) return undefined;
  const value = read(given.text);
  if (value === undefined) throw new SettingsError(`${given.source} ${expected}, not ${JSON.stringify(given.text)}`);
  return value;
}

function parseName(text: string): string | undefined {
  return NAME_SHAPE.safeParse(text).success && !SURROGATE_REGEXP.test(text) ? text : undefined;
}

function parseTime(text: string): number | undefined {
  const [, count, unit] = TIME_REGEXP.exec(text) ?? [];
  const lifetime = Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
  return lifetime <= MAX_LIFETIME ? lifetime : undefined;
}

function parseScopes(given: GivenValue | undefined, prefix: string): readonly string[] {
  if (given === undefined) return ALL_SCOPES;
  const accepted = SCOPES.map((scope) => prefix + scope);
  const scopes = given.text.split(",").map((scope) => scope.trim());
  const unknown = scopes.find((scope) => !accepted.includes(scope));
  if (unknown !== undefined) {
    throw new SettingsError(
      `${given.source} must be a list of ${accepted.join(", ")}; ${JSON.stringify(unknown)} is none of them`,
    );
  }
  return [...new Set(scopes)].map((scope) => scope.slice(prefix.length));
}
