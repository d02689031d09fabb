/** Pino's levels, most verbose first. */
export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** One setting, as the command line and its help use it. */
export interface SettingFacts {
  readonly env: string;
  /** The name of the value in the help. A setting without one is a switch. */
  readonly placeholder?: string;
  readonly fallback?: string;
  readonly help: string;
  /** Whether messages must not show the value. */
  readonly secret?: boolean;
}

/** Every setting by its flag, in the order of the help. */
export const SETTINGS = {
  port: {
    env: "ETIQUETTE_PORT",
    placeholder: "NUMBER",
    fallback: "8443",
    help: "port to listen on; 0 takes a free one",
  },
  host: {
    env: "ETIQUETTE_HOST",
    placeholder: "ADDRESS",
    fallback: "127.0.0.1",
    help: "address to listen on; 0.0.0.0 or :: for all",
  },
  data: {
    env: "ETIQUETTE_DATA",
    placeholder: "FOLDER",
    fallback: "data",
    help: "folder of the embedded database and the generated certificate",
  },
  "database-url": {
    env: "DATABASE_URL",
    placeholder: "URL",
    help: "PostgreSQL, postgres://user@host/name; without it SQLite in the data folder",
    secret: true,
  },
  secrets: {
    env: "ETIQUETTE_SECRETS",
    placeholder: "LIST",
    help: "what cursors are encrypted with, the newest first; the same on every node; without it made in the data folder",
    secret: true,
  },
  workers: {
    env: "ETIQUETTE_WORKERS",
    placeholder: "NUMBER",
    fallback: "1",
    help: "processes that share the port; more than one needs --database-url",
  },
  "tls-cert": {
    env: "ETIQUETTE_TLS_CERT",
    placeholder: "FILE",
    help: "certificate chain, PEM; without it a self-signed one is generated",
  },
  "tls-key": { env: "ETIQUETTE_TLS_KEY", placeholder: "FILE", help: "private key of --tls-cert, PEM" },
  http: {
    env: "ETIQUETTE_HTTP",
    help: "listen on plain HTTP, behind a proxy that terminates TLS; needs --trusted-proxies",
  },
  "trusted-proxies": {
    env: "ETIQUETTE_TRUSTED_PROXIES",
    placeholder: "LIST",
    help: "addresses, CIDR blocks, loopback, linklocal, uniquelocal; whose X-Forwarded-* are believed",
  },
  namespace: {
    env: "ETIQUETTE_NAMESPACE",
    placeholder: "NAME",
    fallback: "svc",
    help: "name that all public names derive from",
  },
  "api-token-scheme": {
    env: "ETIQUETTE_API_TOKEN_SCHEME",
    placeholder: "NAME",
    help: "authentication scheme of API tokens; without it the namespace in capitals",
  },
  "issuer-rel": {
    env: "ETIQUETTE_ISSUER_REL",
    placeholder: "FORM",
    fallback: "https",
    help: "form of the issuer relation in answers: https, echo, both",
  },
  "resource-aliases": {
    env: "ETIQUETTE_RESOURCE_ALIASES",
    placeholder: "LIST",
    fallback: "acct:",
    help: "prefixes of a WebFinger resource beside <namespace>:acct:, or none",
  },
  "strict-headers": {
    env: "ETIQUETTE_STRICT_HEADERS",
    help: "refuse requests that lack Content-Type or Accept",
  },
  "base-domain": {
    env: "ETIQUETTE_BASE_DOMAIN",
    placeholder: "DOMAIN[:PORT]",
    fallback: "localhost",
    help: "domain of the orgs' subdomains, with the port that clients see when it is another",
  },
  "log-retention": {
    env: "ETIQUETTE_LOG_RETENTION",
    placeholder: "DAYS",
    fallback: "90",
    help: "how long events stay in the System Log, 1 to 3650 days",
  },
  "log-level": {
    env: "ETIQUETTE_LOG_LEVEL",
    placeholder: "LEVEL",
    fallback: "info",
    help: LOG_LEVELS.join(", "),
  },
} as const satisfies Record<string, SettingFacts>;

/** A flag without its dashes. */
export type SettingName = keyof typeof SETTINGS;
