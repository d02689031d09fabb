import { ALL_SCOPES, scopePrefix, SCOPES } from "../model/scopes.js";
import { NAME_SHAPE } from "../model/shapes.js";
import { SettingsError, type GivenValue } from "./settings.js";
import type { SettingFacts } from "./settings-table.js";
import type { TokenRequest } from "./tokens.js";

/** The flags of the token commands that are not settings. All but `org` are for `token create` only. */
export const TOKEN_FLAGS = {
  org: { placeholder: "NAME", help: "subdomain of the org; required" },
  expires: { placeholder: "TIME", help: "lifetime: 90m, 12h, 30d, at most 3650d; without it the token never expires" },
  name: { placeholder: "TEXT", help: "name in lists, 1 to 128 characters; without it Command line and an id" },
  scopes: { placeholder: "LIST", help: "scopes, such as svc.users.read,svc.logs.read; without it all" },
} as const satisfies Record<string, Pick<SettingFacts, "placeholder" | "help">>;

/** A flag without its dashes. */
export type TokenFlag = keyof typeof TOKEN_FLAGS;

const TIME_REGEXP = /^([1-9]\d{0,6})([mhd])$/;
const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const MAX_LIFETIME = 3_650 * UNIT_MS.d;

/** Half of a character that takes four bytes in UTF-8, which the service does not support (rule S5). */
const SURROGATE_REGEXP = /[\ud800-\udfff]/;

type GivenFlags = ReadonlyMap<TokenFlag, GivenValue>;

/** A parsed token command. */
export type TokenCommand =
  | { readonly name: "token create"; readonly request: TokenRequest }
  | { readonly name: "token list"; readonly org: string }
  | { readonly name: "token revoke"; readonly org: string; readonly id: string };

/**
 * Parse a token command.
 *
 * @param words what follows the word `token`
 * @throws {SettingsError} for the first word or flag that is missing or invalid, with the accepted values
 */
export function parseTokenCommand(words: readonly string[], given: GivenFlags, namespace: string): TokenCommand {
  const [action, ...operands] = words;
  const id = action === "revoke" ? operands.shift() : undefined;
  if (action !== "create" && action !== "list" && action !== "revoke") {
    throw new SettingsError("token needs one of the words create, list and revoke, such as token list --org NAME");
  }
  const [extra] = operands;
  if (extra !== undefined) throw new SettingsError(`Unexpected argument ${JSON.stringify(extra)}`);
  if (action === "revoke" && id === undefined) {
    throw new SettingsError("token revoke needs the id of a token, which token list shows");
  }
  const org = given.get("org")?.text;
  if (org === undefined) throw new SettingsError(`token ${action} needs the subdomain of an org, such as --org demo`);
  if (action === "create") return { name: "token create", request: parseRequest(org, given, namespace) };
  refuseFlags(new Map([...given].filter(([flag]) => flag !== "org")));
  return id === undefined ? { name: "token list", org } : { name: "token revoke", org, id };
}

/** @throws {SettingsError} when there is a flag */
export function refuseFlags(given: GivenFlags): void {
  const [stray] = given;
  if (!stray) return;
  const [flag, { source }] = stray;
  throw new SettingsError(`${source} goes with ${flag === "org" ? "the token commands" : "token create"} only`);
}

function parseRequest(org: string, given: GivenFlags, namespace: string): TokenRequest {
  return {
    org,
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
