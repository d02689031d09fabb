import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { parseArguments } from "../../../check/command-line/parse.js";
import { type CheckResult, runChecks } from "../../../check/engine.js";
import { createScriptedServer, type Script, type ScriptedRequest } from "./scripted-server.js";

/** What a run did. */
interface Seen {
  readonly results: readonly CheckResult[];
  readonly requests: readonly ScriptedRequest[];
}

/** Run the checks that `rules` names on a scripted server. */
export async function check(script: Script, rules: string, args: readonly string[], path = "/v1/items"): Promise<Seen> {
  const requests: ScriptedRequest[] = [];
  const server = createScriptedServer((request) => {
    requests.push(request);
    return script(request);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  try {
    const url = `http://127.0.0.1:${port}${path}`;
    const { plan, checks } = parseArguments([url, "--rate", "1000", "--timeout", "5", "--rules", rules, ...args]);
    return { results: (await runChecks(plan, checks)).results, requests };
  } finally {
    server.close();
  }
}

/** What was found, as `id: message`. */
export function findingsOf({ results }: Seen): string[] {
  return results
    .filter(({ outcome }) => outcome === "finding")
    .map(({ check: { id }, message = "" }) => `${id}: ${message}`);
}

export function skippedOf({ results }: Seen): string[] {
  return results
    .filter(({ outcome }) => outcome === "skipped")
    .map(({ check: { id }, message = "" }) => `${id}: ${message}`);
}
