import { ALL_SCOPES, scopePrefix, SCOPES } from "../../model/scopes.js";
import { LIMITS, storedLine } from "../../model/shapes.js";
import { ADDRESSES_SHAPE } from "../../model/token-shapes.js";
import { findHiddenFault, SURROGATE_REGEXP } from "../../model/visible-text.js";
import { DURATION, parseLifetime } from "../settings/durations.js";
import type { ErasureRequest } from "../operations/erase.js";
import { SettingsError, type GivenValue, type Settings } from "../settings/settings.js";
import type { SettingFacts } from "../settings/setting.js";
import type { TokenRequest } from "../operations/tokens.js";

/** The flags of the commands on one org that are not settings. All but `org` are for `token create` only. */
export const TOKEN_FLAGS = {
  org: { placeholder: "NAME", help: "subdomain of the org; required, except by export" },
  addresses: {
    placeholder: "LIST",
    help: "addresses and CIDR blocks from which the token may be used; without it all",
  },
  expires: { placeholder: "TIME", help: "lifetime: 90m, 12h, 30d, never; without it --token-lifetime" },
  name: { placeholder: "TEXT", help: "name in lists, 1 to 128 characters; without it Command line and an id" },
  scopes: { placeholder: "LIST", help: "scopes, such as svc.users.read,svc.logs.read; without it all" },
} as const satisfies Record<string, Pick<SettingFacts, "placeholder" | "help">>;

/** A flag without its dashes. */
export type TokenFlag = keyof typeof TOKEN_FLAGS;

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
export function parseTokenCommand(
  words: readonly string[],
  given: GivenFlags,
  settings: Pick<Settings, "namespace" | "tokenLifetime" | "tokenMaxLifetime">,
): TokenCommand {
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
  if (action === "create") return { name: "token create", request: parseRequest(org, given, settings) };
  refuseFlags(new Map([...given].filter(([flag]) => flag !== "org")));
  return id === undefined ? { name: "token list", org } : { name: "token revoke", org, id };
}

/** @throws {SettingsError} when there is a flag */
export function refuseFlags(given: GivenFlags): void {
  const [stray] = given;
  if (!stray) return;
  const [flag, { source }] = stray;
  throw new SettingsError(
    `${source} goes with ${flag === "org" ? "the token commands, console, erase and export" : "token create"} only`,
  );
}

/**
 * Parse an erasure.
 *
 * @param words what follows the word `erase`
 * @throws {SettingsError} for the first word or flag that is missing or invalid
 */
export function parseErasure(words: readonly string[], given: GivenFlags): ErasureRequest {
  const [user, ...extra] = words;
  if (user === undefined) throw new SettingsError("erase needs the login or the id of a user");
  return { org: parseOrgFlag("erase", extra, given), user };
}

/**
 * The org of a command that takes only `--org`.
 *
 * @param extra words that the command doesn't take
 * @throws {SettingsError} for such a word, and when `--org` is missing or another flag is there
 */
export function parseOrgFlag(command: string, [extra]: readonly string[], given: GivenFlags): string {
  if (extra !== undefined) throw new SettingsError(`Unexpected argument ${JSON.stringify(extra)}`);
  const org = given.get("org")?.text;
  if (org === undefined) throw new SettingsError(`${command} needs the subdomain of an org, such as --org demo`);
  refuseFlags(new Map([...given].filter(([flag]) => flag !== "org")));
  return org;
}

function parseRequest(
  org: string,
  given: GivenFlags,
  { namespace, tokenLifetime, tokenMaxLifetime }: Parameters<typeof parseTokenCommand>[2],
): TokenRequest {
  const expires = given.get("expires");
  const lifetime = parse(expires, parseLifetime, `must be never or ${DURATION}`) ?? tokenLifetime;
  if (lifetime > tokenMaxLifetime) {
    throw new SettingsError(`${expires?.source} must not be more than --token-max-lifetime, not "${expires?.text}"`);
  }
  return {
    org,
    name: parseName(given.get("name")),
    lifetime,
    scopes: parseScopes(given.get("scopes"), scopePrefix(namespace)),
    addresses: parseAddresses(given.get("addresses")),
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

function parseName(given: GivenValue | undefined): string | undefined {
  const hidden = given && findHiddenFault(given.text);
  if (hidden !== undefined) throw new SettingsError(`${given?.source} ${hidden}`);
  const isName = (text: string) => storedLine(LIMITS.name).safeParse(text).success && !SURROGATE_REGEXP.test(text);
  const expected = "must be one line of 1 to 128 characters without white space around it";
  return parse(given, (text) => (isName(text) ? text : undefined), expected);
}

function parseAddresses(given: GivenValue | undefined): readonly string[] {
  if (given === undefined) return [];
  const { data, error } = ADDRESSES_SHAPE.safeParse(given.text.split(",").map((address) => address.trim()));
  if (error) throw new SettingsError(`${given.source} is invalid: ${error.issues[0]?.message}`);
  return data;
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
