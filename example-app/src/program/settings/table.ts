import { DEMO_SUBDOMAIN } from "../../model/orgs.js";
import { ADMIN_SETTINGS } from "./admin.js";
import { LIMIT_SETTINGS } from "./limits.js";

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
  "listen-url": {
    placeholder: "URL",
    help: "the same PostgreSQL without the pool (PgBouncer) that --database-url leads to, for one connection that listens",
    secret: true,
  },
  "read-url": {
    placeholder: "URL",
    help: "a replica of --database-url that serves reads while it keeps up; without it the primary serves all",
    secret: true,
  },
  "read-max-lag": {
    placeholder: "MS",
    fallback: "100",
    help: "how long a read waits for a replica that is behind before the primary serves it, 1 to 10000 milliseconds",
  },
  demo: {
    help: "create the org demo in an empty database; without it only in SQLite, and with --no-demo never",
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
  "token-lifetime": {
    placeholder: "TIME",
    fallback: "90d",
    help: "lifetime of API tokens for which no other is asked: 1m to 3650d, such as 90m, 12h, 30d, or never",
  },
  "token-max-lifetime": {
    placeholder: "TIME",
    fallback: "365d",
    help: "longest lifetime of API tokens, like --token-lifetime",
  },
  "token-overlap": {
    placeholder: "TIME",
    fallback: "24h",
    help: "how long the old secret of a rotated API token stays valid, at most: 1m to 3650d",
  },
  console: { help: "serve the console at /console; it is served without this too, and with --no-console never" },
  "console-idle": {
    placeholder: "TIME",
    fallback: "1h",
    help: "after this time without a request a session of the console ends: 5m to 3650d, such as 30m or 12h",
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
  "rate-limits": {
    placeholder: "LIST",
    fallback: "on",
    help: "on, off, or requests of a client in a window: discovery, signOn, failures, read, write, logs, window in seconds",
  },
  "log-retention": {
    placeholder: "DAYS",
    fallback: "90",
    help: "how long events stay in the System Log, 1 to 3650 days",
  },
  "log-noise-rate": {
    placeholder: "NUMBER",
    fallback: "50",
    help: "failed requests without credentials that have an event each, per org and second, 0 to 10000; more are counted",
  },
  "log-day-limit": {
    placeholder: "MIB",
    fallback: "1024",
    help: "what requests may add to the log of an org on one day, 1 to 1048576; changes are always recorded",
  },
  quotas: {
    placeholder: "LIST",
    help: "what each org may store, such as users=5000,rules=200; docs/server.md lists the defaults",
  },
  "cache-size": {
    placeholder: "MB",
    fallback: "256",
    help: "memory for what each process keeps about orgs, such as compiled rules, 1 to 65536 MB",
  },
  "search-limit": {
    placeholder: "NUMBER",
    fallback: "100000",
    help: "events or records that one request searches at most before it responds with a link to the rest, 1000 to 10000000",
  },
  "api-connections": {
    placeholder: "NUMBER",
    fallback: "6",
    help: "connections of a process to PostgreSQL for the API, 2 to 100; an org uses at most half of them at once",
  },
  "statement-timeout": {
    placeholder: "SECONDS",
    fallback: "10",
    help: "how long PostgreSQL may run a statement of a request, 1 to 600 seconds",
  },
  ...LIMIT_SETTINGS,
  ...ADMIN_SETTINGS,
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
