import { admitReader, sendDocument } from "../lib/express/index.js";
import {
  assertKnownOptions,
  fieldValueOption,
  functionOption,
  integerOption,
  type Middleware,
  type NothingElse,
  optionError,
  stringsOption,
} from "../lib/factory/index.js";

const FACTORY = "securityTxt";

const PATH = "/.well-known/security.txt";
const TYPE = "text/plain; charset=utf-8";
const DAY = 86_400_000;

/** RFC 3986 in ASCII, with a scheme; a web address must be https (RFC 9116 section 2.5.3). */
const URI_REGEXP = /^(?!http:)[a-z][a-z0-9+.-]*:[\x21-\x7e]+$/i;

/** A language tag, RFC 5646, without its finer rules. */
const LANGUAGE_REGEXP = /^[a-z]{1,8}(?:-[a-z0-9]{1,8})*$/i;

export interface SecurityTxtOptions {
  /** Where to report a vulnerability, the preferred one first: `mailto:`, `https:` or `tel:` URIs. At least one. */
  contact: readonly string[];

  /**
   * How many days after a response the text expires, 1–365.
   *
   * @default 180
   */
  expiresIn?: number;

  /**
   * URIs of keys to encrypt reports with.
   *
   * @default []
   */
  encryption?: readonly string[];

  /**
   * URIs of the rules for whoever reports.
   *
   * @default []
   */
  policy?: readonly string[];

  /**
   * URIs of pages that thank those who reported.
   *
   * @default []
   */
  acknowledgments?: readonly string[];

  /**
   * Where this text is served.
   *
   * @default []
   */
  canonical?: readonly string[];

  /**
   * URIs of open positions.
   *
   * @default []
   */
  hiring?: readonly string[];

  /**
   * The languages of reports, such as `["en", "de"]`.
   *
   * @default none are named
   */
  preferredLanguages?: readonly string[];

  /**
   * The `Cache-Control` of the response.
   *
   * @default "max-age=86400"
   */
  cacheControl?: string;

  /**
   * The current time, in milliseconds since 1970.
   *
   * @default Date.now
   */
  now?: () => number;
}

const OPTIONS: Record<keyof SecurityTxtOptions, true> = {
  contact: true,
  expiresIn: true,
  encryption: true,
  policy: true,
  acknowledgments: true,
  canonical: true,
  hiring: true,
  preferredLanguages: true,
  cacheControl: true,
  now: true,
};

/** The fields with URIs, in the order in which they are sent, and the options that have them. */
const URI_FIELDS = {
  Contact: "contact",
  Encryption: "encryption",
  Acknowledgments: "acknowledgments",
  Canonical: "canonical",
  Policy: "policy",
  Hiring: "hiring",
} as const;

/**
 * Serve `/.well-known/security.txt` (RFC 9116): where to report a vulnerability. Every client and every origin may read it.
 * Requests for other paths pass. Does not sign the text.
 *
 * @throws {TypeError} when an option is unknown, missing, of the wrong type or out of bounds
 * @example
 * app.use(securityTxt({ contact: ["mailto:security@example.com"] }));
 */
export function securityTxt(options: Readonly<SecurityTxtOptions>, ..._: NothingElse): Middleware {
  const { lines, lifetime, cacheControl, now } = parseOptions(options);

  return function securityTxtMiddleware(req, res, next) {
    if (req.baseUrl + (req.path === "/" ? "" : req.path) !== PATH) {
      next();
      return;
    }
    const admitted = admitReader(req, res);
    if (admitted === true) {
      const expires = new Date(now() + lifetime).toISOString().replace(/\.\d+/, "");
      sendDocument(req, res, `${lines}Expires: ${expires}\n`, { type: TYPE, cacheControl });
    } else if (admitted !== false) next(admitted);
  };
}

function parseOptions(options: Readonly<SecurityTxtOptions>) {
  assertKnownOptions(FACTORY, options, OPTIONS, `app.use(${FACTORY}({ … }))`);
  const lines = Object.entries(URI_FIELDS).flatMap(([field, option]) => {
    const uris = stringsOption(FACTORY, option, options[option], []);
    if (!uris.every((uri) => URI_REGEXP.test(uri)) || (option === "contact" && uris.length === 0)) {
      throw optionError(FACTORY, option, `an array of URIs, not http:${option === "contact" ? ", at least one" : ""}`);
    }
    return uris.map((uri) => `${field}: ${uri}\n`);
  });
  const languages = stringsOption(FACTORY, "preferredLanguages", options.preferredLanguages, []);
  if (!languages.every((language) => LANGUAGE_REGEXP.test(language))) {
    throw optionError(FACTORY, "preferredLanguages", 'an array of language tags such as "en"');
  }
  if (languages.length > 0) lines.push(`Preferred-Languages: ${languages.join(", ")}\n`);
  return {
    lines: lines.join(""),
    lifetime: DAY * integerOption(FACTORY, "expiresIn", options.expiresIn, { fallback: 180, min: 1, max: 365 }),
    cacheControl: fieldValueOption(FACTORY, "cacheControl", options.cacheControl, "max-age=86400"),
    now: functionOption(FACTORY, "now", options.now, Date.now),
  };
}
