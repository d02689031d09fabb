import { ALL_SCOPES, scopePrefix, SCOPES } from "../../model/scopes.js";
import { LIMITS, storedLine } from "../../model/shapes.js";
import { ADDRESSES_SHAPE } from "../../model/token-shapes.js";
import { findHiddenFault, SURROGATE_REGEXP } from "../../model/visible-text.js";
import { createToken, type TokenRequest } from "../operations/tokens.js";
import { DURATION, parseLifetime } from "../settings/durations.js";
import { SettingsError, type GivenValue } from "../settings/settings.js";
import { needOrg, ORG, type Command } from "./command.js";
import { print } from "./output.js";
import { withStore } from "./with-store.js";

export const TOKEN_CREATE: Command<TokenRequest> = {
  name: "token create",
  flags: {
    org: ORG,
    addresses: {
      placeholder: "LIST",
      optional: true,
      help: "addresses and CIDR blocks from which the token may be used; without it all",
    },
    expires: {
      placeholder: "TIME",
      optional: true,
      help: "lifetime: 90m, 12h, 30d, never; without it --token-lifetime",
    },
    name: {
      placeholder: "TEXT",
      optional: true,
      help: "name in lists, 1 to 128 characters; without it Command line and an id",
    },
    scopes: {
      placeholder: "LIST",
      optional: true,
      help: "scopes, such as svc.users.read,svc.logs.read; without it all",
    },
  },
  isSilent: true,
  help: "create an API token of the org and print only the token",
  details: "See [the first token](api/authentication.md#the-first-token).",
  parse(given, { namespace, tokenLifetime, tokenMaxLifetime }) {
    const org = needOrg(given);
    const { flags } = given;
    const expires = flags.get("expires");
    const lifetime = parse(expires, parseLifetime, `must be never or ${DURATION}`) ?? tokenLifetime;
    if (lifetime > tokenMaxLifetime) {
      throw new SettingsError(`${expires?.source} must not be more than --token-max-lifetime, not "${expires?.text}"`);
    }
    return {
      org,
      name: parseName(flags.get("name")),
      lifetime,
      scopes: parseScopes(flags.get("scopes"), scopePrefix(namespace)),
      addresses: parseAddresses(flags.get("addresses")),
    };
  },
  run(request, settings) {
    return withStore(settings, async (store) => {
      print(await createToken(store, request));
    });
  },
};

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
