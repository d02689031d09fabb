import { isIPv6 } from "node:net";
import { compileNamespace } from "etiquette/namespace";
import type { Tenant } from "../tenancy/tenants.js";
import type { Settings } from "./settings.js";

/** Host settings under which a client on the same machine reaches the server as `localhost`. */
const LOCAL_HOSTS: ReadonlySet<string> = new Set(["127.0.0.1", "::1", "localhost", "0.0.0.0", "::"]);

/** Text that needs no quotes in a shell. */
const PLAIN_REGEXP = /^[A-Za-z0-9_./:-]+$/;

/** The URL of the server for clients on its own machine. */
export function formatListeningUrl({ http, host }: Pick<Settings, "http" | "host">, port: number): string {
  return `${http ? "http" : "https"}://${clientHost(host)}:${port}`;
}

export interface ExampleFacts {
  settings: Pick<Settings, "baseDomain" | "publicPort" | "http" | "host" | "namespace" | "apiTokenScheme">;
  /** The port that the server listens on. */
  port: number;
  /** The org that the example queries. */
  tenant: Tenant;
  /** The file that clients of a generated certificate trust; `undefined` for another certificate. */
  trustFile: string | undefined;
}

/** A `curl` command that finds out where joe@example.com signs in. */
export function formatExample(facts: Readonly<ExampleFacts>): string {
  const { accountPrefix } = compileNamespace("settings", facts.settings.namespace);
  return formatCurl(facts, `/.well-known/webfinger?resource=${accountPrefix}joe@example.com`);
}

/** Where the first token is: in this text, or in a file. */
export type FirstToken = Readonly<{ token: string } | { file: string }>;

/** An API token of the org, or its place, and a `curl` command that uses it. */
export function formatFirstToken(facts: Readonly<ExampleFacts>, first: FirstToken): string {
  const { tenant, settings } = facts;
  const field = `Authorization: ${settings.apiTokenScheme} `;
  const [place, word] =
    "token" in first
      ? [`shown only now: ${first.token}`, quote(field + first.token)]
      : [`in the file ${first.file}`, `"${field}$(cat ${quote(first.file)})"`];
  return `API token of the org ${tenant.org.subdomain}, valid for 24 hours, ${place}
Use it: ${formatCurl(facts, "/api/v1/users", word)}`;
}

function formatCurl(
  { settings, port, tenant, trustFile }: Readonly<ExampleFacts>,
  path: string,
  quotedField?: string,
): string {
  const { baseDomain, publicPort, http, host } = settings;
  const isLocal = baseDomain === "localhost" && publicPort === undefined && LOCAL_HOSTS.has(host);
  const words = ["curl"];
  if (trustFile !== undefined) words.push("--cacert", quote(trustFile));
  // the name may not be in DNS yet; behind a proxy only the name leads to the server
  if (!isLocal && !http) words.push("--connect-to", quote(`::${clientHost(host)}:${port}`));
  if (quotedField !== undefined) words.push("--header", quotedField);

  words.push(`'${tenant.baseUrl}${path}'`);
  return words.join(" ");
}

function clientHost(host: string): string {
  if (LOCAL_HOSTS.has(host)) return "localhost";
  return isIPv6(host) ? `[${host}]` : host;
}

function quote(word: string): string {
  return PLAIN_REGEXP.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
