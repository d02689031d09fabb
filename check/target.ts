import { isIP } from "node:net";
import type { Target } from "./connection.js";

/**
 * Where the requests for a URL go.
 *
 * @param ca certificates to trust in place of those of Node
 */
export function targetOf(url: URL, ca?: string): Target {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (url.protocol === "http:") return { host, port: Number(url.port || 80), tls: undefined };
  const servername = isIP(host) === 0 ? { servername: host } : {};
  const trusted = ca === undefined ? {} : { ca };
  return { host, port: Number(url.port || 443), tls: { ...trusted, ...servername, ALPNProtocols: ["http/1.1"] } };
}
