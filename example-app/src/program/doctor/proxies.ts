import { compileTrustedProxies } from "etiquette/trusted-proxies";
import type { Settings } from "../settings/settings.js";
import { fault, ok, warning, type Finding } from "./finding.js";

const CHECK = "proxies";

/** Names of the host setting that only this machine reaches. */
const LOOPBACK: ReadonlyMap<string, string> = new Map([
  ["localhost", "127.0.0.1"],
  ["127.0.0.1", "127.0.0.1"],
  ["::1", "::1"],
]);

/** Wider ranges have clients in them: those of private networks are narrower. */
const MIN_PREFIX = { ipv4: 8, ipv6: 7 };

/** Check that the trusted proxies can reach the server, and that they are not everybody. */
export function checkProxies({
  http,
  host,
  trustedProxies,
}: Pick<Settings, "http" | "host" | "trustedProxies">): Finding[] {
  const findings: Finding[] = [];
  const loopback = LOOPBACK.get(host);
  if (http && loopback !== undefined && !compileTrustedProxies(trustedProxies)(loopback)) {
    const text = `only this machine reaches ${host}, and no trusted proxy is on it: every request is refused`;
    findings.push(
      fault(CHECK, text, "add loopback to --trusted-proxies, or choose --host so that the proxy reaches it"),
    );
  }
  for (const range of trustedProxies.filter(isWide)) {
    const text = `${range} is wide: whoever is in it can say which address a request comes from`;
    findings.push(warning(CHECK, text, "name only the proxies in --trusted-proxies"));
  }
  if (findings.length > 0) return findings;
  return [ok(CHECK, trustedProxies.length === 0 ? "none are trusted" : `trusted are ${trustedProxies.join(", ")}`)];
}

function isWide(range: string): boolean {
  const [, prefix] = /\/(\d+)$/.exec(range) ?? [];
  return prefix !== undefined && Number(prefix) < MIN_PREFIX[range.includes(":") ? "ipv6" : "ipv4"];
}
