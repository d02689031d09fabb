import {
  DEFAULT_RATE_LIMIT_SETTINGS,
  MAX_RATE_LIMIT,
  MAX_RATE_WINDOW,
  RATE_CLASSES,
  type RateClass,
  type RateLimitSettings,
} from "../../model/rate-limits.js";

const ENTRY_REGEXP = /^(\w+)=(\d{1,7})$/;

const EXPECTED =
  `must be on, off, or a list such as read=3000,window=60: ${RATE_CLASSES.join(", ")} from 1 to ${MAX_RATE_LIMIT}, ` +
  `window from 1 to ${MAX_RATE_WINDOW}`;

/**
 * Parse the setting. What a list leaves out keeps its default.
 *
 * @returns `null` for `off`
 * @throws {RangeError} with the end of a sentence that begins with the name of the setting
 */
export function parseRateLimits(text: string): RateLimitSettings | null {
  if (text === "on") return DEFAULT_RATE_LIMIT_SETTINGS;
  if (text === "off") return null;
  let { window } = DEFAULT_RATE_LIMIT_SETTINGS;
  const limits: Record<RateClass, number> = { ...DEFAULT_RATE_LIMIT_SETTINGS.limits };
  const seen = new Set<string>();
  for (const entry of text.split(",")) {
    const [, name = "", digits] = ENTRY_REGEXP.exec(entry.trim()) ?? [];
    const value = Number(digits);
    if (isClass(name) && value >= 1 && value <= MAX_RATE_LIMIT) limits[name] = value;
    else if (name === "window" && value >= 1 && value <= MAX_RATE_WINDOW) window = value;
    else throw new RangeError(EXPECTED);
    if (seen.has(name)) throw new RangeError(`has ${name} twice`);
    seen.add(name);
  }
  return { window, limits };
}

function isClass(name: string): name is RateClass {
  return (RATE_CLASSES as readonly string[]).includes(name);
}
