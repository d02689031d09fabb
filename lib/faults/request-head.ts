import type { ErrorType, Refusal } from "../errors/index.js";
import { excerpt, memoize } from "../text/index.js";
import { fieldLines } from "../http/index.js";
import { isHost, parseAbsoluteForm } from "../net/index.js";

/** Why a request is refused: the arguments of `apiError`. */
export type RequestFault = Refusal;

/** The properties of Node's `IncomingMessage` that are known before the body. */
export interface RequestHead {
  readonly method?: string | undefined;
  /** The request target as sent. */
  readonly url?: string | undefined;
  /** `1.1` */
  readonly httpVersion: string;
  /** Names and values of all field lines, alternating, in the order received. */
  readonly rawHeaders: readonly string[];
}

/** What a server accepts. */
export interface RequestRules {
  /** The most field lines of a header. */
  readonly maxHeadersCount: number;
  /** Whether requests to upgrade may pass. Called only for such a request. */
  readonly acceptsUpgrade: () => boolean;
}

/** Memoized, because most requests name one of a few hosts. */
const isKnownHost = memoize(isHost);

const SLASH = 0x2f;
const LETTER_X = 0x78;
const CASE_BIT = 0x20;

/** The one element of the field `Connection` (RFC 9110 section 7.6.1) that makes `Upgrade` count. */
const UPGRADE_OPTION_REGEXP = /(?:^|,)[ \t]*upgrade[ \t]*(?:,|$)/i;

/** RFC 9113 section 3.1 dropped this upgrade. Clients that still ask for it (`curl --http2`) also work without it. */
const OBSOLETE_PROTOCOL = "h2c";

/**
 * Find what a server must refuse in the head of a request according to RFC 9110 and RFC 9112, although Node's parser
 * accepts it. Linear in the length of the head.
 */
export function findRequestFault(head: RequestHead, rules: RequestRules): RequestFault | undefined {
  const { httpVersion, rawHeaders } = head;
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return ["E0009012", { type: "version.unsupported" }];

  const { maxHeadersCount } = rules;
  if (rawHeaders.length > 2 * maxHeadersCount) {
    const causes = [`The header has more than ${maxHeadersCount} lines.`];
    return ["E0009009", { type: "header.too-large", causes }];
  }
  if (isOrdinary(head)) return undefined;
  return (
    findHostFault(head) ?? findTargetFault(head) ?? findTransferEncodingFault(head) ?? findUpgradeFault(head, rules)
  );
}

/** Whether one pass finds a path, one valid `Host` and nothing that needs the full checks, as in nearly all requests. */
function isOrdinary({ url = "", rawHeaders }: RequestHead): boolean {
  if (url.charCodeAt(0) !== SLASH) return false;
  let host: string | undefined;
  for (let index = 1; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index - 1] ?? "";
    switch (name.length) {
      case "host".length:
        if (name.toLowerCase() !== "host") break;
        if (host !== undefined) return false;
        host = rawHeaders[index];
        break;
      case "upgrade".length:
      case "transfer-encoding".length:
        if ((name.charCodeAt(0) | CASE_BIT) === LETTER_X) break; // `X-Forwarded-Proto`
        if (/^(?:upgrade|transfer-encoding)$/i.test(name)) return false;
        break;
    }
  }
  return host !== undefined && isKnownHost(host);
}

/** The fault of an `Expect` field with another value than `100-continue` (RFC 9110 section 10.1.1). */
export function findExpectFault(expect: string): RequestFault | undefined {
  if (expect.split(",").every((member) => member.trim().toLowerCase() === "100-continue")) return undefined;
  const causes = [`Expect is ${excerpt(expect)}; only 100-continue is supported.`];
  return ["E0009005", { type: "expectation.unmet", causes }];
}

/** RFC 9112 section 3.2: there must be one `Host`, and it must be valid. HTTP/1.0 did not have the field yet. */
function findHostFault({ httpVersion, rawHeaders }: RequestHead): RequestFault | undefined {
  const [host, second, ...others] = fieldLines(rawHeaders, "host");
  if (host === undefined) {
    return httpVersion === "1.0" ? undefined : badRequest("host.missing", "The request has no Host; send one.");
  }
  if (second !== undefined) {
    const count = 2 + others.length;
    const cause = `Host comes ${count} times, first as ${excerpt(host)}, then as ${excerpt(second)}; send one.`;
    return badRequest("host.duplicate", cause);
  }
  if (!isKnownHost(host)) {
    return badRequest(
      "host.invalid",
      `Host is ${excerpt(host)}; send a name or an address, with an optional port, such as "api.example.com:8443".`,
    );
  }
  return undefined;
}

/**
 * request-target = origin-form / absolute-form / authority-form / asterisk-form, RFC 9112 section 3.2. An origin server
 * must accept the absolute form, and use its authority instead of `Host` (section 3.2.2). Express uses `Host`, so the two
 * must be the same, which clients must send anyway.
 */
function findTargetFault({ method, url = "", rawHeaders }: RequestHead): RequestFault | undefined {
  if (url.charCodeAt(0) === SLASH || method === "CONNECT") return undefined; // the parser has checked its form
  if (url === "*" && method === "OPTIONS") return undefined;

  const absolute = parseAbsoluteForm(url);
  const sent = `The request target is ${excerpt(url)}`;
  if (absolute === undefined) return badRequest("target.invalid", `${sent}; send a path that begins with "/".`);

  const { scheme, authority } = absolute;
  if (scheme !== "http" && scheme !== "https") {
    return badRequest("target.invalid", `${sent}; this server is no proxy for ${excerpt(scheme)}.`);
  }
  if (!isHost(authority)) return badRequest("target.invalid", `${sent}; it has no valid host.`);

  const [host = authority] = fieldLines(rawHeaders, "host");
  if (host.toLowerCase() === authority.toLowerCase()) return undefined;
  return badRequest("target.misdirected", `${sent} and Host is ${excerpt(host)}; they must name the same host.`);
}

/** RFC 9112 section 6.1. Only chunked is supported, and HTTP/1.0 has no transfer coding. */
export function findTransferEncodingFault({ httpVersion, rawHeaders }: RequestHead): RequestFault | undefined {
  const lines = fieldLines(rawHeaders, "transfer-encoding");
  if (lines.length === 0) return undefined;

  const codings = lines.join(", ");
  if (httpVersion === "1.0") {
    return badRequest("transfer-encoding.invalid", "HTTP/1.0 has no Transfer-Encoding; send a Content-Length.");
  }
  if (codings.toLowerCase() === "chunked") return undefined;
  return badRequest(
    "transfer-encoding.invalid",
    `Transfer-Encoding is ${excerpt(codings)}; only "chunked" is supported.`,
  );
}

/** RFC 9110 section 7.8: the field counts only when `Connection` names it, and never in HTTP/1.0. */
function findUpgradeFault({ httpVersion, rawHeaders }: RequestHead, rules: RequestRules): RequestFault | undefined {
  const upgrades = fieldLines(rawHeaders, "upgrade");
  if (upgrades.length === 0 || httpVersion === "1.0") return undefined;
  if (!fieldLines(rawHeaders, "connection").some((line) => UPGRADE_OPTION_REGEXP.test(line))) return undefined;

  const protocols = upgrades.join(", ");
  if (protocols.toLowerCase() === OBSOLETE_PROTOCOL || rules.acceptsUpgrade()) return undefined;
  return [
    "E0009007",
    {
      type: "upgrade.unsupported",
      causes: [`Upgrade is ${excerpt(protocols)}; this server supports only HTTP/1.1.`],
      // a 426 must name a supported protocol (RFC 9110 section 15.5.22)
      headers: { Connection: "close, upgrade", Upgrade: "HTTP/1.1" },
    },
  ];
}

function badRequest(type: ErrorType, cause: string): RequestFault {
  return ["E0009000", { type, causes: [cause] }];
}
