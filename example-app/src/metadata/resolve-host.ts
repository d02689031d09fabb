import { promises as dns } from "node:dns";
import { isIP } from "node:net";

/** For each question to each DNS server. */
const QUESTION = { timeout: 2_000, tries: 2 };

/** RFC 6761 section 6.3. */
const LOOPBACK = ["127.0.0.1", "::1"];

/** The addresses of a host name; none when there is no such name. */
export type ResolveHost = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/** Asks the DNS, not the system: `getaddrinfo` waits in a thread, of which the process has four for everything. */
export const resolveHost: ResolveHost = async (host, signal) => {
  if (isIP(host) !== 0) return [host];
  if (host === "localhost") return LOOPBACK;
  const resolver = new dns.Resolver(QUESTION);
  const cancel = () => {
    resolver.cancel();
  };
  signal.addEventListener("abort", cancel);
  try {
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return found.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
  } finally {
    signal.removeEventListener("abort", cancel);
  }
};
