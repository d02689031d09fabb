import type { Server } from "node:http";
import { parseArguments } from "../../../check/command-line/parse.js";
import { runChecks, type CheckResult, type Report } from "../../../check/engine.js";
import { listen } from "../../support/raw-socket.js";

/** As fast as the tests can. */
const FAST = ["--rate", "1000"];

/** Run the checks that `args` choose on `server`, over plain HTTP unless `protocol` says otherwise. */
export async function checkServer(server: Server, path: string, args: string[], protocol = "http"): Promise<Report> {
  const port = await listen(server);
  try {
    const { plan, checks } = parseArguments([`${protocol}://127.0.0.1:${port}${path}`, ...FAST, ...args]);
    return await runChecks(plan, checks);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** The outcome of each check, with its message if it found something. */
export function outcomesOf({ results }: Report): Record<string, string> {
  return Object.fromEntries(results.map((result) => [result.check.id, describeOutcome(result)]));
}

function describeOutcome({ outcome, message }: CheckResult): string {
  return outcome === "passed" ? outcome : `${outcome}: ${message ?? ""}`;
}
