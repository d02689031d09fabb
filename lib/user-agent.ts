/** What the text of a `User-Agent` tells: families, not versions. */
export interface UserAgentDetails {
  /** Upper case, such as `CHROME`; `UNKNOWN` without a hint. */
  readonly browser: string;
  /** Such as `Mac OS X`; `Unknown` without a hint. */
  readonly os: string;
  readonly device: DeviceType;
}

export type DeviceType = "Computer" | "Mobile" | "Tablet" | "Unknown";

/** Real ones have fewer; what comes after is not read, so that the time is bounded. */
const MAX_LENGTH = 512;

export const UNKNOWN_USER_AGENT: UserAgentDetails = Object.freeze({
  browser: "UNKNOWN",
  os: "Unknown",
  device: "Unknown",
});

/**
 * Every hint, found in one pass; the longer of two that start alike comes first. User-Agent (RFC 9110 section 10.1.5) has
 * a grammar, which most of what is sent leaves to its comments: only hints are dependable.
 */
const HINT_REGEXP =
  /edg(?:e|a|ios)?\/|\bop(?:r|t|ios)\/|opera|samsungbrowser|firefox|fxios|msie |trident\/|chrom(?:e|ium)|crios|safari|windows phone|windows|win(?:32|64)|iphone|ipad|ipod|apple|ios|android|\bcros\b|macintosh|mac os x|linux|x11|tablet|mobile|tv\b/g;

/** The first whose hint is there: most browsers carry the hints of those they descend from. */
const BROWSERS: readonly (readonly [hint: string, browser: string])[] = [
  ["edg/", "EDGE"],
  ["edge/", "EDGE"],
  ["edga/", "EDGE"],
  ["edgios/", "EDGE"],
  ["opr/", "OPERA"],
  ["opt/", "OPERA"],
  ["opios/", "OPERA"],
  ["opera", "OPERA"],
  ["samsungbrowser", "SAMSUNG_INTERNET"],
  ["firefox", "FIREFOX"],
  ["fxios", "FIREFOX"],
  ["msie ", "INTERNET_EXPLORER"],
  ["trident/", "INTERNET_EXPLORER"],
  ["chrome", "CHROME"],
  ["chromium", "CHROME"],
  ["crios", "CHROME"],
  ["safari", "SAFARI"],
];

const COMPUTERS: ReadonlySet<string> = new Set(["Windows", "Mac OS X", "Chrome OS", "Linux"]);

/** Browser, operating system and device by the hints in the first 512 characters of `value`, in any case. */
export function parseUserAgent(value: string): UserAgentDetails {
  const hints: ReadonlySet<string> = new Set(value.slice(0, MAX_LENGTH).toLowerCase().match(HINT_REGEXP));
  if (hints.size === 0) return UNKNOWN_USER_AGENT;

  const browser = detectBrowser(hints);
  const os = detectOs(hints);
  return { browser, os, device: detectDevice(hints, browser, os) };
}

function detectBrowser(hints: ReadonlySet<string>): string {
  for (const [hint, browser] of BROWSERS) {
    if (hints.has(hint)) return browser;
  }
  return UNKNOWN_USER_AGENT.browser;
}

function detectOs(hints: ReadonlySet<string>): string {
  if (hints.has("windows phone")) return "Windows Phone"; // it also says "Android" and "like iPhone"
  if (isAppleMobile(hints) && (hints.has("apple") || hints.has("ios"))) return "iOS";
  if (hints.has("android")) return "Android";
  if (hints.has("cros")) return "Chrome OS";
  if (hints.has("windows") || hints.has("win32") || hints.has("win64")) return "Windows";
  if (hints.has("mac os x") || hints.has("macintosh")) return "Mac OS X";
  if (hints.has("linux") || hints.has("x11")) return "Linux";
  return UNKNOWN_USER_AGENT.os;
}

function isAppleMobile(hints: ReadonlySet<string>): boolean {
  return hints.has("iphone") || hints.has("ipad") || hints.has("ipod");
}

function detectDevice(hints: ReadonlySet<string>, browser: string, os: string): DeviceType {
  if (hints.has("tv")) return "Unknown";
  if (os === "Windows Phone") return "Mobile";
  if (os === "Windows") return "Computer"; // Windows calls its tablets so too
  if (hints.has("ipad") || hints.has("tablet")) return "Tablet";
  if (hints.has("mobile") || isAppleMobile(hints)) return "Mobile";
  // A browser on an Android telephone says "Mobile", one on a tablet does not; other apps never say.
  if (os === "Android") return browser === UNKNOWN_USER_AGENT.browser ? "Mobile" : "Tablet";
  return COMPUTERS.has(os) ? "Computer" : "Unknown";
}
