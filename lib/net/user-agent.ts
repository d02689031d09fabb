/** The families, without versions, that a `User-Agent` names. */
export interface UserAgentDetails {
  /** In upper case, such as `CHROME`; `Unknown` without a hint. */
  readonly browser: string;
  /** Such as `Mac OS X`; `Unknown` without a hint. */
  readonly os: string;
  readonly device: DeviceType;
}

export type DeviceType = "Computer" | "Mobile" | "Tablet" | "Unknown";

/** In characters. Browsers send up to about 200, apps up to 500; the rest is not read, which bounds the time. */
const MAX_LENGTH = 1024;

/** A real User-Agent has about ten hints; a text made of hints only could have 341. */
const MAX_HINTS = 24;

export const UNKNOWN_USER_AGENT: UserAgentDetails = Object.freeze({
  browser: "Unknown",
  os: "Unknown",
  device: "Unknown",
});

/**
 * Every hint, found in one pass; of two with the same start, the longer comes first. User-Agent has a grammar (RFC 9110
 * section 10.1.5), but browsers put most of the facts into its comments, so only hints are reliable.
 */
const HINT_REGEXP =
  /edg(?:e|a|ios)?\/|\bop(?:r|t|ios)\/|opera|samsungbrowser|firefox|fxios|msie |trident\/|chrom(?:e|ium)|crios|safari|windows phone|windows|win(?:32|64)|iphone|ipad|ipod|apple|ios|android|\bcros\b|macintosh|mac os x|linux|x11|tablet|mobile|tv\b/g;

/** One bit for each meaning of a hint. The hints of a text become one number. */
const EDGE = 1 << 0;
const OPERA = 1 << 1;
const SAMSUNG = 1 << 2;
const FIREFOX = 1 << 3;
const INTERNET_EXPLORER = 1 << 4;
const CHROME = 1 << 5;
const SAFARI = 1 << 6;
const WINDOWS_PHONE = 1 << 7;
const WINDOWS = 1 << 8;
const IPHONE = 1 << 9;
const IPAD = 1 << 10;
const APPLE = 1 << 11;
const ANDROID = 1 << 12;
const CHROME_OS = 1 << 13;
const MAC = 1 << 14;
const LINUX = 1 << 15;
const TABLET = 1 << 16;
const MOBILE = 1 << 17;
const TV = 1 << 18;

const BITS: ReadonlyMap<string, number> = new Map([
  ["edg/", EDGE],
  ["edge/", EDGE],
  ["edga/", EDGE],
  ["edgios/", EDGE],
  ["opr/", OPERA],
  ["opt/", OPERA],
  ["opios/", OPERA],
  ["opera", OPERA],
  ["samsungbrowser", SAMSUNG],
  ["firefox", FIREFOX],
  ["fxios", FIREFOX],
  ["msie ", INTERNET_EXPLORER],
  ["trident/", INTERNET_EXPLORER],
  ["chrome", CHROME],
  ["chromium", CHROME],
  ["crios", CHROME],
  ["safari", SAFARI],
  ["windows phone", WINDOWS_PHONE],
  ["windows", WINDOWS],
  ["win32", WINDOWS],
  ["win64", WINDOWS],
  ["iphone", IPHONE],
  ["ipod", IPHONE],
  ["ipad", IPAD],
  ["apple", APPLE],
  ["ios", APPLE],
  ["android", ANDROID],
  ["cros", CHROME_OS],
  ["macintosh", MAC],
  ["mac os x", MAC],
  ["linux", LINUX],
  ["x11", LINUX],
  ["tablet", TABLET],
  ["mobile", MOBILE],
  ["tv", TV],
]);

/** In order of precedence: most browsers also send the hints of the browsers that they descend from. */
const BROWSERS: readonly (readonly [bit: number, browser: string])[] = [
  [EDGE, "EDGE"],
  [OPERA, "OPERA"],
  [SAMSUNG, "SAMSUNG_INTERNET"],
  [FIREFOX, "FIREFOX"],
  [INTERNET_EXPLORER, "INTERNET_EXPLORER"],
  [CHROME, "CHROME"],
  [SAFARI, "SAFARI"],
];

const COMPUTERS: ReadonlySet<string> = new Set(["Windows", "Mac OS X", "Chrome OS", "Linux"]);

/**
 * Detect browser, operating system and device from the first 24 hints in the first 1,024 characters of `value`. Letter case
 * does not matter. Never throws.
 *
 * @example
 * parseUserAgent("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0");
 * // { browser: "FIREFOX", os: "Linux", device: "Computer" }
 */
export function parseUserAgent(value: string): UserAgentDetails {
  const hints = findHints(value.slice(0, MAX_LENGTH).toLowerCase());
  if (hints === 0) return UNKNOWN_USER_AGENT;

  const browser = detectBrowser(hints);
  const os = detectOs(hints);
  return { browser, os, device: detectDevice(hints, browser, os) };
}

function findHints(text: string): number {
  let hints = 0;
  HINT_REGEXP.lastIndex = 0;
  for (let count = 0; count < MAX_HINTS; count++) {
    const hint = HINT_REGEXP.exec(text)?.[0];
    if (hint === undefined) break;
    hints |= BITS.get(hint) ?? 0;
  }
  return hints;
}

function detectBrowser(hints: number): string {
  for (const [bit, browser] of BROWSERS) {
    if (hints & bit) return browser;
  }
  return UNKNOWN_USER_AGENT.browser;
}

function detectOs(hints: number): string {
  if (hints & WINDOWS_PHONE) return "Windows Phone"; // it also says "Android" and "like iPhone"
  if (hints & (IPHONE | IPAD) && hints & APPLE) return "iOS";
  if (hints & ANDROID) return "Android";
  if (hints & CHROME_OS) return "Chrome OS";
  if (hints & WINDOWS) return "Windows";
  if (hints & MAC) return "Mac OS X";
  if (hints & LINUX) return "Linux";
  return UNKNOWN_USER_AGENT.os;
}

function detectDevice(hints: number, browser: string, os: string): DeviceType {
  if (hints & TV) return "Unknown";
  if (os === "Windows Phone") return "Mobile";
  if (os === "Windows") return "Computer"; // even when it sends "Tablet PC"
  if (hints & (IPAD | TABLET)) return "Tablet";
  if (hints & (MOBILE | IPHONE)) return "Mobile";
  // A browser on an Android phone sends "Mobile", one on a tablet does not; other apps never send it.
  if (os === "Android") return browser === UNKNOWN_USER_AGENT.browser ? "Mobile" : "Tablet";
  return COMPUTERS.has(os) ? "Computer" : "Unknown";
}
