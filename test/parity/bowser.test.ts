import Bowser from "bowser";
import { parseUserAgent } from "../../lib/net/user-agent.js";
import { USER_AGENTS } from "../support/user-agents.js";

/** Our names for what bowser calls otherwise. */
const BROWSERS: Readonly<Record<string, string>> = {
  Chrome: "CHROME",
  Chromium: "CHROME",
  Safari: "SAFARI",
  Firefox: "FIREFOX",
  "Microsoft Edge": "EDGE",
  Opera: "OPERA",
  "Opera Touch": "OPERA",
  "Samsung Internet for Android": "SAMSUNG_INTERNET",
  "Internet Explorer": "INTERNET_EXPLORER",
};

const DEVICES: Readonly<Record<string, string>> = { desktop: "Computer", mobile: "Mobile", tablet: "Tablet" };

/** Where the two differ on purpose: a part of the string, and why. */
const DIFFERENCES: readonly (readonly [part: string, why: string])[] = [
  ["CrOS", "bowser has no device for Chrome OS"],
  ["Android 4.0.3; ko-kr", "the conventions know the hint `safari`, bowser says Android Browser"],
  ["Web0S", "a television runs WebOS for bowser, Linux by its hint"],
  ["Android TV", "a television is no tablet"],
  ["PlayBook", "BlackBerry has no hint in the conventions"],
];

function isDifferent(userAgent: string): boolean {
  return DIFFERENCES.some(([part]) => userAgent.includes(part));
}

function parseWithBowser(userAgent: string): object {
  const { browser, os, platform } = Bowser.parse(userAgent);
  return {
    browser: BROWSERS[browser.name ?? ""],
    os: os.name === "macOS" ? "Mac OS X" : (os.name ?? "Unknown"),
    device: DEVICES[platform.type ?? ""],
  };
}

describe("parseUserAgent and bowser", () => {
  const browsers = USER_AGENTS.filter(([browser]) => browser !== "Unknown").map(([, , , userAgent]) => userAgent);

  it.each(browsers.filter((userAgent) => !isDifferent(userAgent)))("C1 agree on %s", (userAgent) => {
    expect(parseUserAgent(userAgent)).toEqual(parseWithBowser(userAgent));
  });

  it.each(DIFFERENCES)("differ on %s: %s", (part) => {
    const userAgent = browsers.find((text) => text.includes(part)) ?? "";
    expect(parseUserAgent(userAgent)).not.toEqual(parseWithBowser(userAgent));
  });

  it("differ on an empty string, at which bowser throws", () => {
    expect(() => Bowser.parse("")).toThrow();
    expect(parseUserAgent("").browser).toBe("Unknown");
  });
});
