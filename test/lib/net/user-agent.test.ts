import fc from "fast-check";
import { parseUserAgent } from "../../../lib/net/user-agent.js";
import { USER_AGENTS } from "../../support/user-agents.js";

const UNKNOWN = { browser: "Unknown", os: "Unknown", device: "Unknown" };

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
    ["acme apple iphone", "Unknown", "iOS"],
    ["acme ios ipad", "Unknown", "iOS"],
    ["acme IOS iPod", "Unknown", "iOS"],
    ["acme iphone", "Unknown", "Unknown"],
    ["acme ios", "Unknown", "Unknown"],
    ["acme android", "Unknown", "Android"],
  ])("C1 takes the hints of %j", (userAgent, browser, os) => {
    expect(parseUserAgent(userAgent)).toMatchObject({ browser, os });
  });

  it("C1 reads 24 hints", () => {
    const hints = (count: number) => parseUserAgent(`${"tablet ".repeat(count)}firefox`).browser;
    expect([hints(22), hints(23), hints(24)]).toEqual(["FIREFOX", "FIREFOX", "Unknown"]);
  });

  it("C1 reads 1,024 characters", () => {
    expect(parseUserAgent("firefox".padStart(1_023)).browser).toBe("FIREFOX");
    expect(parseUserAgent("firefox".padStart(1_024)).browser).toBe("FIREFOX");
    expect(parseUserAgent("firefox".padStart(1_025)).browser).toBe("Unknown");
  });

  it("C1 answers with known words, whatever comes", () => {
    const words = USER_AGENTS.flatMap(([, , , userAgent]) => userAgent.split(/\b/));
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...words), fc.string())), (parts) => {
        const { browser, os, device } = parseUserAgent(parts.join(""));
        expect(browser).toMatch(/^(?:[A-Z_]+|Unknown)$/);
        expect(os).toMatch(/^(Windows Phone|iOS|Android|Chrome OS|Windows|Mac OS X|Linux|Unknown)$/);
        expect(device).toMatch(/^(Computer|Mobile|Tablet|Unknown)$/);
      }),
      { numRuns: 2000 },
    );
  });
});
