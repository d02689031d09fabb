import type { SecureVersion } from "node:tls";
import { isLocalHost } from "../../lib/net/index.js";
import type { Check } from "../check.js";
import { ExchangeError } from "../connection.js";
import type { Probe } from "../probe.js";
import { firstOf, NotApplicable, type Verdict } from "../verdict.js";

/** HTTPS, and nothing else (rule S1). */
export const TLS_CHECKS: readonly Check[] = [
  {
    id: "plain-http",
    rule: "S1",
    severity: "security",
    title: "Plain HTTP is refused, not redirected",
    why: "A client with a typing error sends its token in the clear each time, and a redirect hides that.",
    specification: "RFC 6797 section 7.2 allows the redirect for pages",
    mend: "Close port 80 for the API, or send 403 there.",
    needs: ["tls"],
    async run(probe) {
      const { port } = probe.plan.target;
      return firstOf(port === 443 ? [80, 443] : [port], (plainPort) => tryPlain(probe, plainPort));
    },
  },
  {
    id: "hsts",
    rule: "S1",
    severity: "security",
    title: "A response over HTTPS sends Strict-Transport-Security",
    why: "Without it the first request of a browser to this host may go over plain HTTP.",
    specification: "RFC 6797 section 6.1",
    mend: "Send `Strict-Transport-Security: max-age=31536000`.",
    needs: ["tls"],
    async run(probe) {
      const value = (await probe.baseline()).field("Strict-Transport-Security");
      if (value === undefined && isLocalHost(probe.host)) {
        throw new NotApplicable("With it, browsers would use HTTPS for every other server on this machine.");
      }
      return /(?:^|;)\s*max-age="?[1-9]/i.test(value ?? "")
        ? undefined
        : `Strict-Transport-Security is ${value ?? "missing"}.`;
    },
  },
  {
    id: "tls-old",
    rule: "S1",
    severity: "security",
    title: "TLS 1.0 and 1.1 are refused",
    why: "They rely on MD5 and SHA-1 and have known attacks.",
    specification: "RFC 8996",
    mend: "Set the lowest version to TLS 1.2.",
    needs: ["tls"],
    run: (probe) => firstOf(["TLSv1.1", "TLSv1"] as const, (version) => tryVersion(probe, version)),
  },
  {
    id: "http-refused",
    rule: "S1",
    severity: "security",
    title: "The API is served over HTTPS",
    why: "Everybody on the way reads and changes requests and responses.",
    mend: "Serve HTTPS only, or run this check on the public URL.",
    needs: ["http"],
    async run(probe) {
      if (isLoopback(probe.plan.url.hostname)) throw new NotApplicable("On this machine, HTTP is no risk.");
      const { status, ok } = await probe.baseline();
      return ok ? `Plain HTTP is ${status}.` : undefined;
    },
  },
  {
    id: "forwarded-proto",
    rule: "S1",
    severity: "security",
    title: "Only the last X-Forwarded-Proto counts, which the proxy wrote",
    why: "The first was written by the client, who thereby claims that its request came over HTTPS.",
    specification: "RFC 7239 section 8.1",
    mend: "Read the list from right to left past trusted proxies; Express reads the leftmost entry.",
    needs: ["success", "http"],
    async run(probe) {
      const claims = ["https", "http", "https, http"] as const;
      const [https, http, both] = await Promise.all(
        claims.map(async (value) => (await probe.get(probe.path, { "X-Forwarded-Proto": value })).ok),
      );
      if (!https || http) throw new NotApplicable("X-Forwarded-Proto from this machine doesn't decide.");
      return both ? "X-Forwarded-Proto: https, http counts as HTTPS." : undefined;
    },
  },
];

async function tryPlain(probe: Probe, plainPort: number): Promise<Verdict> {
  try {
    const { status } = await probe.send({ plainPort });
    return status < 400 ? `Plain HTTP on port ${plainPort} is ${status}.` : undefined;
  } catch (error) {
    if (error instanceof ExchangeError) return undefined; // refused in another way
    throw error;
  }
}

async function tryVersion(probe: Probe, version: SecureVersion): Promise<Verdict> {
  try {
    const protocol = await probe.handshake({ minVersion: version, maxVersion: version, ciphers: "DEFAULT@SECLEVEL=0" });
    return `The server speaks ${protocol}.`;
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    if (error.code === "ERR_SSL_NO_PROTOCOLS_AVAILABLE") throw new NotApplicable(`OpenSSL here has no ${version}.`);
    return undefined;
  }
}

function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
