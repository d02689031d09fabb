import { createHmac, randomBytes } from "node:crypto";
import { foldIdentifier } from "../discovery/identifier.js";
import type { RoutingTest, Rule, User } from "../model/records.js";
import type { IdentifierPattern } from "../model/rule-shapes.js";
import { LIMITS } from "../model/shapes.js";

/** Digits of a pseudonym: 80 bits. */
const LENGTH = 20;

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Attributes that hold logins. */
const LOGINS: ReadonlySet<string> = new Set(["login", "email"]);

/** What follows the name in a login or an address. */
const DOMAIN_REGEXP = /(?<=.)@[^\s@]+$/;

/** In place of a domain that leaves no room for the pseudonym. */
const LONG_DOMAIN = "long.invalid";

const NUMBER_REGEXP = /^-?\d+(?:\.\d+)?$/;

/** Replaces what identifies users. The same text always has the same pseudonym, whatever its case. */
export interface Pseudonyms {
  /** Id, login, e-mail address, names and all attributes but booleans. */
  readonly hideUser: (user: User) => User;
  /** The patterns that name users. Patterns of domains stay. */
  readonly hideRule: (rule: Rule) => Rule;
  /** The name and the login. */
  readonly hideTest: (test: RoutingTest) => RoutingTest;
}

/**
 * Pseudonyms with a random key, which is not kept: nobody can compute them again or find out the texts behind them.
 * Domains stay, because rules route by them.
 */
export function createPseudonyms(): Pseudonyms {
  const key = randomBytes(32);
  const digest = (text: string): Buffer => createHmac("sha256", key).update(foldIdentifier(text)).digest();

  return {
    hideUser: ({ id, profile: { login, email, ...others }, ...user }) => ({
      ...user,
      id: hideId(id),
      profile: { ...(hideMembers(others) as typeof others), login: hideLogin(login), email: hideLogin(email) },
    }),
    hideRule(rule) {
      const { userIdentifier: condition } = rule.conditions;
      if (!condition) return rule;
      const isLogin = condition.type === "IDENTIFIER" || LOGINS.has(condition.attribute ?? "");
      const patterns = condition.patterns.map((pattern) => hidePattern(pattern, isLogin ? hideLogin : hideText));
      return { ...rule, conditions: { ...rule.conditions, userIdentifier: { ...condition, patterns } } };
    },
    hideTest: (test) => ({ ...test, name: hideName(test.name), login: hideLogin(test.login) }),
  };

  function hideMembers(members: object): object {
    return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, hideValue(value)]));
  }

  function hideId(id: string): string {
    return Array.from(digest(`id ${id}`).subarray(0, id.length), (byte) =>
      ALPHABET.charAt(byte % ALPHABET.length),
    ).join("");
  }

  function hideValue(value: unknown): unknown {
    if (typeof value === "string") return hideText(value);
    if (typeof value === "number") return hideNumber(String(value));
    return Array.isArray(value) ? value.map(hideValue) : value;
  }

  /** The domain stays, and the text is unique as before. */
  function hideLogin(text: string): string {
    if (text === "") return text;
    const pseudonym = hideName(text);
    const [domain = ""] = DOMAIN_REGEXP.exec(text) ?? [];
    return pseudonym.length + domain.length <= LIMITS.login ? pseudonym + domain : `${pseudonym}@${LONG_DOMAIN}`;
  }

  function hideName(text: string): string {
    return `p-${digest(text).toString("hex").slice(0, LENGTH)}`;
  }

  /** A text that is a number stays one. */
  function hideText(text: string): string {
    return NUMBER_REGEXP.test(text) ? String(hideNumber(text)) : hideLogin(text);
  }

  function hideNumber(text: string): number {
    return digest(`number ${text}`).readUInt32BE();
  }
}

function hidePattern({ matchType, value }: IdentifierPattern, hide: (text: string) => string): IdentifierPattern {
  const isDomain = /^[@.]/.test(value) || (matchType === "SUFFIX" && !value.includes("@") && value.includes("."));
  return { matchType, value: isDomain ? value : hide(value) };
}
