import { DEMO_SUBDOMAIN } from "../model/orgs.js";

/** Pino's levels, most verbose first. */
export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** One setting, as the command line and its help use it. */
export interface SettingFacts {
  /** The environment variable, when it has another name than the flag. */
  readonly env?: string;
  /** The name of the value in the help. A setting without one is a switch. */
  readonly placeholder?: string;
  readonly fallback?: string;
  readonly help: string;
  /** Whether messages must not show the value. */
  readonly secret?: boolean;
}

/** Every setting by its flag, in the order of the help. */
export const SETTINGS = {
  port: { placeholder: "NUMBER", fallback: "8443", help: "port to listen on, 0 to 65535; 0 takes a free one" },
  host: { placeholder: "ADDRESS", fallback: "127.0.0.1", help: "address to listen on; 0.0.0.0 or :: for all" },
  data: {
    placeholder: "FOLDER",
    fallback: "data",
    help: "folder of the SQLite database, the generated certificate and the generated secret",
  },
  "database-url": {
    env: "DATABASE_URL",
    placeholder: "URL",
    help: "PostgreSQL, postgres://user@host/name; without it SQLite in the data folder",
    secret: true,
  },
  secrets: {
    placeholder: "LIST",
    help: "secrets for cursors and fingerprint hashes, newest first, the same on every node; without it one in the data folder",
    secret: true,
  },
  workers: {
    placeholder: "NUMBER",
    fallback: "1",
    help: "processes that share the port, 1 to 64; more than one needs --database-url",
  },
  "tls-cert": { placeholder: "FILE", help: "certificate chain, PEM; without it the server generates one" },
  "tls-key": { placeholder: "FILE", help: "private key of --tls-cert, PEM, without a passphrase" },
  http: { help: "listen on plain HTTP, behind a proxy that terminates TLS; needs --trusted-proxies" },
  "trusted-proxies": {
    placeholder: "LIST",
    help: "proxies whose X-Forwarded-* count: addresses, CIDR blocks, loopback, linklocal, uniquelocal",
  },
  namespace: {
    placeholder: "NAME",
    fallback: "svc",
    help: "beginning of all public names: 1 to 32 lower-case letters and digits, a letter first",
  },
  "api-token-scheme": {
    placeholder: "NAME",
    help: "authentication scheme of API tokens; without it the namespace in capitals",
  },
  "issuer-rel": {
    placeholder: "FORM",
    fallback: "https",
    help: "form of the issuer relation in WebFinger responses: https, echo or both",
  },
  "resource-aliases": {
    placeholder: "LIST",
    fallback: "acct:",
    help: "prefixes of a WebFinger resource in addition to <namespace>:acct:, or none",
  },
  "strict-headers": { help: "refuse requests that lack Content-Type or Accept" },
  "v1-deprecation": {
    placeholder: "DATE",
    help: "when operations of v1 that v2 has too are deprecated: YYYY-MM-DD, past or future; without it no Deprecation",
  },
  "v1-sunset": {
    placeholder: "DATE",
    help: "when these operations end: YYYY-MM-DD, not before --v1-deprecation; without it they don't end",
  },
  "base-domain": {
    placeholder: "DOMAIN[:PORT]",
    fallback: "localhost",
    help: "domain above the orgs' subdomains; with the port that clients use, if it is not --port",
  },
  "default-org": {
    placeholder: "NAME",
    fallback: DEMO_SUBDOMAIN,
    help: "subdomain of the org that is served on the base domain itself",
  },
  "log-retention": {
    placeholder: "DAYS",
    fallback: "90",
    help: "how long events stay in the System Log, 1 to 3650 days",
  },
  "log-level": { placeholder: "LEVEL", fallback: "info", help: `least level to log: ${LOG_LEVELS.join(", ")}` },
} as const satisfies Record<string, SettingFacts>;

/** A flag without its dashes. */
export type SettingName = keyof typeof SETTINGS;

/** Variables with this prefix are settings. */
export const ENV_PREFIX = "ETIQUETTE_";

/** The environment variable of a setting: `ETIQUETTE_LOG_LEVEL` for `--log-level`. */
export function variableOf(name: SettingName): string {
  const { env }: SettingFacts = SETTINGS[name];
  return env ?? ENV_PREFIX + name.toUpperCase().replaceAll("-", "_");
}
