import { isIPv6 } from "node:net";
import { resolve } from "node:path";
import { compileNamespace } from "etiquette/namespace";
import { withoutPassword } from "../../store/engine/postgres.js";
import type { Tenant } from "../../tenancy/tenants.js";
import type { Settings } from "../settings/settings.js";
import { formatStart } from "../start-command.js";

/** Host settings under which a client on the same machine reaches the server as `localhost`. */
const LOCAL_HOSTS: ReadonlySet<string> = new Set(["127.0.0.1", "::1", "localhost", "0.0.0.0", "::"]);

/** Text that needs no quotes in a shell. */
const PLAIN_REGEXP = /^[A-Za-z0-9_./:-]+$/;

/** The URL of the server for clients on its own machine. */
export function formatListeningUrl({ http, host }: Pick<Settings, "http" | "host">, port: number): string {
  return formatUrl(http ? "http" : "https", host, port);
}

/** The URL of what listens on `host`, for clients on the same machine. */
export function formatUrl(scheme: "http" | "https", host: string, port: number): string {
  return `${scheme}://${clientHost(host)}:${port}`;
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

/** A link that opens the console signed in. The fragment is sent to no server, so that no log has the code. */
export function formatLink(baseUrl: string, code: string): string {
  return `${baseUrl}/console#code=${code}`;
}

/** What lets the first administrator in: in this text, or in files. The link is absent if there is no console. */
export type FirstShown = Readonly<
  { token: string; link: string | undefined } | { tokenFile: string; linkFile: string | undefined }
>;

/** A link to the console of the org, an API token of it, or their places, and a `curl` command that uses the token. */
export function formatFirstAccess(facts: Readonly<ExampleFacts>, first: FirstShown): string {
  const { tenant, settings } = facts;
  const field = `Authorization: ${settings.apiTokenScheme} `;
  const [link, place, word] =
    "token" in first
      ? [first.link, `shown only now: ${first.token}`, quote(field + first.token)]
      : [
          first.linkFile && `the link in the file ${first.linkFile}`,
          `in the file ${first.tokenFile}`,
          `"${field}$(cat ${quote(first.tokenFile)})"`,
        ];
  const lines = [
    `API token of the org ${tenant.org.subdomain}, valid for 24 hours, ${place}`,
    `Use it: ${formatCurl(facts, "/api/v1/users", word)}`,
  ];
  return (link === undefined ? lines : [`Console, once within ten minutes: ${link}`, ...lines]).join("\n");
}

export interface TerminalFacts extends ExampleFacts {
  settings: ExampleFacts["settings"] & Pick<Settings, "databaseUrl" | "dataFolder" | "consoleFolder">;
  /** Shown by this start only. */
  first: FirstShown | undefined;
}

/** What a person at a terminal wants: the console, the API, a command that answers, and where the data is. */
export function formatTerminal({ first, ...facts }: Readonly<TerminalFacts>): string {
  const { tenant, settings } = facts;
  const shown = first && "token" in first ? first : undefined;
  const link = `${tenant.baseUrl}/console, and ${formatStart(`console --org ${tenant.org.subdomain}`)} prints a link to sign in`;
  const rows: [name: string, value: string | undefined][] = [
    ["Console", settings.consoleFolder && (shown?.link ? `${shown.link} (once, within ten minutes)` : link)],
    ["API", `${tenant.baseUrl}/api/v1`],
    ["Try it", formatExample(facts)],
    ["Data", settings.databaseUrl === undefined ? resolve(settings.dataFolder) : withoutPassword(settings.databaseUrl)],
    ["Token", shown && `${shown.token} (of the org ${tenant.org.subdomain}, for 24 hours, shown only now)`],
  ];
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [`${name.padEnd(7)}  ${value}`])).join("\n");
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
