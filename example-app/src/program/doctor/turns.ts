import http from "node:http";
import { isIPv6 } from "node:net";
import type { Settings } from "../settings/settings.js";
import { ok, warning, type Finding } from "./finding.js";

const CHECK = "event loop";

/** A running server tells its metrics sooner. */
const PATIENCE_MS = 5_000;

/** The largest response that is read, in bytes. Those of 64 workers are shorter. */
const MAX_LENGTH = 16_777_216;

const COUNT_REGEXP = /^etiquette_long_turns_total\{[^}]*\} (\S+)$/gm;
const LONGEST_REGEXP = /^etiquette_longest_turn_seconds\{(?:[^}]*,)?operation="([^"]*)"[^}]*\} (\S+)$/gm;

/** Ask a running server for its long turns, in which all other requests waited. */
export async function checkTurns({
  adminHost,
  adminPort,
}: Pick<Settings, "adminHost" | "adminPort">): Promise<Finding> {
  if (adminPort === undefined) return ok(CHECK, "only a server with --admin-port tells how long its turns were");
  const address = adminHost === "0.0.0.0" ? "127.0.0.1" : adminHost === "::" ? "::1" : adminHost;
  const metrics = await read(`http://${isIPv6(address) ? `[${address}]` : address}:${adminPort}/metrics`);
  if (metrics === undefined)
    return ok(CHECK, `no server at ${adminPort} on ${adminHost} tells how long its turns were`);
  const count = Array.from(metrics.matchAll(COUNT_REGEXP), ([, value]) => Number(value)).reduce((a, b) => a + b, 0);
  if (count === 0) return ok(CHECK, "no turn took more than 20 ms since the start");
  const [operation, seconds] = Array.from(
    metrics.matchAll(LONGEST_REGEXP),
    ([, name = "", value]): [operation: string, seconds: number] => [name, Number(value)],
  ).reduce((a, b) => (b[1] > a[1] ? b : a), ["", 0]);
  return warning(
    CHECK,
    `${count} turns took more than 20 ms since the start, the longest ${Math.round(seconds * 1_000)} ms: ${operation}`,
    'look for "long turn of the event loop" in the program log: it names the org and what was done',
  );
}

/** The text at `url`; `undefined` when there is none, or too much. */
function read(url: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const request = http.get(
      url,
      { agent: false, timeout: PATIENCE_MS, headers: { Host: "localhost" } },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          text += chunk;
          if (text.length > MAX_LENGTH) request.destroy();
        });
        response.on("end", () => {
          resolve(response.statusCode === 200 ? text : undefined);
        });
        response.on("error", () => {
          resolve(undefined);
        });
      },
    );
    request.on("timeout", () => request.destroy());
    request.on("error", () => {
      resolve(undefined);
    });
  });
}
