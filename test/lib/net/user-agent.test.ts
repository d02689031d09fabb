import fc from "fast-check";
import { parseUserAgent } from "../../../lib/net/user-agent.js";
import { USER_AGENTS } from "../../support/user-agents.js";

const UNKNOWN = { browser: "UNKNOWN", os: "Unknown", device: "Unknown" };

describe("parseUserAgent", () => {
  it.each(USER_AGENTS)("C1 finds %s, %s, %s in %s", (browser, os, device, userAgent) => {
    expect(parseUserAgent(userAgent)).toEqual({ browser, os, device });
  });

  it.each(["", " ", "Mozilla/5.0", "(", "Acme/1.0 (Curio OS)"])("C1 knows nothing of %j", (userAgent) => {
    expect(parseUserAgent(userAgent)).toEqual(UNKNOWN);
  });

  // conventions, "Request context headers"
  it.each([
    ["acme chrome", "CHROME", "Unknown"],
    ["ACME SAFARI", "SAFARI", "Unknown"],
    ["acme apple iphone", "UNKNOWN", "iOS"],
    ["acme ios ipad", "UNKNOWN", "iOS"],
    ["acme IOS iPod", "UNKNOWN", "iOS"],
    ["acme iphone", "UNKNOWN", "Unknown"],
    ["acme ios", "UNKNOWN", "Unknown"],
    ["acme android", "UNKNOWN", "Android"],
  ])("C1 takes the hints of %j", (userAgent, browser, os) => {
    expect(parseUserAgent(userAgent)).toMatchObject({ browser, os });
  });

  it("C1 reads 24 hints", () => {
    const hints = (count: number) => parseUserAgent(`${"tablet ".repeat(count)}firefox`).browser;
    expect([hints(22), hints(23), hints(24)]).toEqual(["FIREFOX", "FIREFOX", "UNKNOWN"]);
  });

  it("C1 reads 256 characters", () => {
    expect(parseUserAgent("firefox".padStart(255)).browser).toBe("FIREFOX");
    expect(parseUserAgent("firefox".padStart(256)).browser).toBe("FIREFOX");
    expect(parseUserAgent("firefox".padStart(257)).browser).toBe("UNKNOWN");
  });

  it("C1 answers with known words, whatever comes", () => {
    const words = USER_AGENTS.flatMap(([, , , userAgent]) => userAgent.split(/\b/));
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...words), fc.string())), (parts) => {
        const { browser, os, device } = parseUserAgent(parts.join(""));
        expect(browser).toMatch(/^[A-Z_]+$/);
        expect(os).toMatch(/^(Windows Phone|iOS|Android|Chrome OS|Windows|Mac OS X|Linux|Unknown)$/);
        expect(device).toMatch(/^(Computer|Mobile|Tablet|Unknown)$/);
      }),
      { numRuns: 2000 },
    );
  });
});
