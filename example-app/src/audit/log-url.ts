import { capText, CUT, MAX_LENGTHS } from "./log-text.js";

/** The authority of a target in absolute form (RFC 9112 section 3.2.2), which may hold a password. */
const AUTHORITY_REGEXP = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/;

/** What follows a delimiter that was encoded by mistake (rule Q2) was meant as a query. */
const ENCODED_QUERY_REGEXP = /(%(?:3f|23))[^]+$/i;

/** Stands for a value that the log does not keep. */
const HIDDEN = "***";

/** A longer name may be a value that was sent without one. */
const MAX_NAME_LENGTH = 32;

/**
 * The parameters that operations read: the log keeps their values. Readers of the log administer the org's users, so they
 * may see logins. Values of all other parameters may be credentials that were sent by mistake.
 */
export const KEPT_PARAMETERS: ReadonlySet<string> = new Set([
  ...["limit", "after", "before", "filter", "search", "q", "sortBy", "sortOrder", "total", "since", "until", "ruleId"],
  ...[
    "activate",
    "type",
    "clientIp",
    "userAgent",
    "users",
    "dryRun",
    "prune",
    "allowShadowing",
    "allowFailingTests",
    "target",
    "from",
    "revision",
    "at",
  ],
  ...["resource", "rel", "login", "login_hint", "domain_hint", "hd", "iss"],
]);

/** A request target as the log keeps it: without authority, fragment and values of unknown parameters, and capped. */
export function formatUrl(target: string): string {
  const url = target.replace(AUTHORITY_REGEXP, "");
  const beginning = url.slice(0, MAX_LENGTHS.url);
  const [beforeFragment, fragment] = splitAt(beginning, "#");
  const [path, query] = splitAt(beforeFragment, "?");
  const shown = [
    path.replace(ENCODED_QUERY_REGEXP, `$1${HIDDEN}`),
    query === undefined ? "" : `?${query.split("&").map(formatParameter).join("&")}`,
    fragment === undefined ? "" : `#${HIDDEN}`,
    url.length > beginning.length ? CUT : "",
  ];
  return capText(shown.join(""), MAX_LENGTHS.url);
}

function formatParameter(parameter: string): string {
  const [name, value] = splitAt(parameter, "=");
  if (parameter === "" || KEPT_PARAMETERS.has(decode(name))) return parameter;
  if (value === undefined) return HIDDEN;
  return `${name.length > MAX_NAME_LENGTH ? HIDDEN : name}=${HIDDEN}`;
}

/** The text before and after the first delimiter. */
function splitAt(text: string, delimiter: string): [string, string?] {
  const index = text.indexOf(delimiter);
  return index === -1 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return "";
  }
}
