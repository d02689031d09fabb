import { optionError } from "../factory/index.js";
import { formatOrigin, isOrigin } from "./origin.js";
import { memoize } from "../text/index.js";

const FORM = 'as browsers send them, such as "https://app.example.com"';

/**
 * The origins that are trusted: a list; a function of the request that returns a list or promises one, such as that of
 * an org; or `"*"` for every origin. In a returned list, an entry that is not in the form that browsers send matches
 * nothing.
 */
export type OriginOption<R> = "*" | readonly string[] | ((req: R) => readonly string[] | Promise<readonly string[]>);

/** Whether the `Origin` of a request is trusted. Rejects when the list can't be read. */
export type OriginPredicate<R> = (origin: string | undefined, req: R) => boolean | Promise<boolean>;

/**
 * Compile the option `origin` of `factory`. Scheme, host and port must be equal. Only `"*"` trusts `null`, several origins
 * in one field, and requests without the field; a function is not called for them.
 *
 * @throws {TypeError} when the option is of the wrong type, or an entry is not in the form that browsers send
 */
export function compileTrustedOrigins<R>(factory: string, option: OriginOption<R>): OriginPredicate<R> {
  if (option === "*") return () => true;
  if (typeof option !== "function") {
    const trusted = new Set<string | undefined>(parseList(factory, option));
    return (origin) => trusted.has(origin);
  }

  const listOrigins = option;
  const isOneOrigin = memoize(isOrigin);
  return (origin, req) => origin !== undefined && isOneOrigin(origin) && isListed(origin, req);

  async function isListed(origin: string, req: R): Promise<boolean> {
    const list: unknown = await listOrigins(req);
    if (!Array.isArray(list)) throw new TypeError(`${factory}: \`origin\` must return an array of origins`);
    return list.includes(origin);
  }
}

/** `unknown`: the list of trusted origins can't be read. */
export type OriginVerdict = "trusted" | "denied" | "unknown";

/**
 * Turn `isTrusted` into a function that never rejects. It is synchronous where `isTrusted` is.
 *
 * @param log called with the reason when the list can't be read; its result and its errors are ignored
 */
export function compileOriginJudge<R>(
  isTrusted: OriginPredicate<R>,
  log: (error: unknown, req: R) => unknown,
): (origin: string | undefined, req: R) => OriginVerdict | Promise<OriginVerdict> {
  return function judgeOrigin(origin, req) {
    const trusted = isTrusted(origin, req);
    return typeof trusted === "boolean" ? verdictOf(trusted) : settle(trusted, req);
  };

  async function settle(trusted: Promise<boolean>, req: R): Promise<OriginVerdict> {
    try {
      return verdictOf(await trusted);
    } catch (error) {
      void report(error, req);
      return "unknown";
    }
  }

  async function report(error: unknown, req: R): Promise<void> {
    try {
      await log(error, req);
    } catch {
      // there is nowhere else to report it
    }
  }
}

function verdictOf(isTrusted: boolean): OriginVerdict {
  return isTrusted ? "trusted" : "denied";
}

function parseList(factory: string, list: unknown): readonly string[] {
  if (!Array.isArray(list)) {
    throw optionError(factory, "origin", `an array of origins ${FORM}, a function that returns one, or "*"`);
  }
  return list.map((entry: unknown) => {
    if (typeof entry === "string" && isOrigin(entry)) return entry;
    const meant = typeof entry === "string" ? formatOrigin(entry) : undefined;
    const remedy = meant === undefined ? `${String(entry)} is none` : `write "${meant}" for "${String(entry)}"`;
    throw optionError(factory, "origin", `an array of origins ${FORM}; ${remedy}`);
  });
}
