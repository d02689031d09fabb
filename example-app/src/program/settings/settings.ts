import { isIP } from "node:net";
import path from "node:path";
import { compileNamespace } from "etiquette/namespace";
import { parseDate } from "etiquette/dates";
import { compileTrustedProxies } from "etiquette/trusted-proxies";
import { z } from "zod";
import { faultOf } from "../../model/faults.js";
import { DEFAULT_QUOTAS, MAX_QUOTA, QUOTA_NAMES, type QuotaName, type Quotas } from "../../model/quotas.js";
import { isHostName, SUBDOMAIN_SHAPE } from "../../model/shapes.js";
import type { ServerSettings } from "../../server.js";
import { ADMIN_SHAPES, toAdmin, type AdminSettings } from "./admin.js";
import { parseRateLimits } from "./rate-limits.js";
import { LIMIT_SHAPES, toLimits } from "./limits.js";
import { SESSION_SHAPES, toSessionSettings } from "./sessions.js";
import { host, integer, MAX_PORT, postgresUrl, text, toggle } from "./shapes.js";
import { LOG_LEVELS, SETTINGS, type SettingFacts, type SettingName } from "./table.js";

/** The settings of the program: immutable, checked, with all defaults filled in. */
export interface Settings extends ServerSettings, AdminSettings {
  /** Absolute path. */
  readonly dataFolder: string;
  readonly databaseUrl: string | undefined;
  readonly listenUrl: string | undefined;
  readonly readUrl: string | undefined;
  /** See `StoreOptions`. */
  readonly readMaxLag: number;
  readonly searchLimit: number;
  readonly apiConnections: number;
  readonly statementTimeout: number;
  /** Number of processes that share the port. */
  readonly workers: number;
  /** Empty for the secret in the data folder. */
  readonly secrets: readonly string[];
  /** `undefined` for the certificate in the data folder. */
  readonly tlsFiles: Readonly<{ cert: string; key: string }> | undefined;
  /** Serve plain HTTP behind a proxy that terminates TLS. */
  readonly http: boolean;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly quotas: Quotas;
}

/** An error in the settings or files that prevents a start: one line for the person who started the server. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** The value of a setting and its source: `--port` or `ETIQUETTE_PORT`. */
export interface GivenValue {
  readonly text: string;
  readonly source: string;
}

/** `token`, RFC 9110 section 5.6.2: the syntax of an authentication scheme. */
const TOKEN_REGEXP = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** A URI scheme with its colon, RFC 3986 section 3.1, and optional further characters. */
const PREFIX_REGEXP = /^[a-z][a-z0-9+.-]*:[\x21-\x7e]*$/i;

/** Length of an HMAC-SHA256 key in bytes. */
export const MIN_SECRET_LENGTH = 32;

/** More processes than processors bring no benefit. */
const MAX_WORKERS = 64;

/** Ten years. */
const MAX_RETENTION_DAYS = 3_650;

/** Per second and org. */
const MAX_NOISE_RATE = 10_000;

/** In MiB: a tebibyte. */
const MAX_LOG_DAY = 1_048_576;

const MEBIBYTE = 1_048_576;

/** In milliseconds. A read that waits longer for a replica keeps a connection from others. */
const MAX_READ_LAG = 10_000;

const MAX_CACHE_MB = 65_536;

const list = z.string().transform(splitList);
const day = z
  .string()
  .refine((value) => parseDay(value) !== undefined, "must be a date such as 2027-06-30")
  .transform(parseDay);

/** The accepted values. Messages complete the sentence that begins with "--port". */
const SCHEMA = z.object({
  port: integer(0, MAX_PORT),
  host,
  ...ADMIN_SHAPES,
  data: text.transform((folder) => path.resolve(folder)),
  "database-url": postgresUrl.optional(),
  "listen-url": postgresUrl.optional(),
  "read-url": postgresUrl.optional(),
  "read-max-lag": integer(1, MAX_READ_LAG),
  demo: toggle.optional(),
  workers: integer(1, MAX_WORKERS),
  secrets: list
    .pipe(z.array(z.string().refine(isSecret, `must have at least ${MIN_SECRET_LENGTH} bytes each`)))
    .optional(),
  "tls-cert": text.optional(),
  "tls-key": text.optional(),
  http: toggle.optional(),
  "trusted-proxies": list
    .superRefine((proxies, context) => {
      const fault = faultOf(() => compileTrustedProxies(proxies));
      if (fault !== undefined) context.addIssue({ code: "custom", message: `is invalid: ${fault}` });
    })
    .optional(),
  namespace: z
    .string()
    .refine(
      (name) => faultOf(() => compileNamespace("settings", name)) === undefined,
      "must be 1 to 32 lower-case letters and digits, a letter first",
    ),
  "api-token-scheme": z
    .string()
    .regex(TOKEN_REGEXP, "must be an authentication scheme")
    .refine((scheme) => scheme.toLowerCase() !== "bearer", "must not be Bearer, which is for access tokens")
    .optional(),
  ...SESSION_SHAPES,
  console: toggle.optional(),
  "issuer-rel": z.enum(["https", "echo", "both"], "must be https, echo or both"),
  "resource-aliases": z
    .string()
    .transform((value) => (value === "none" ? [] : splitList(value)))
    .pipe(z.array(z.string().regex(PREFIX_REGEXP, "must be none or a list of URI prefixes such as acct:"))),
  "strict-headers": toggle.optional(),
  "v1-deprecation": day.optional(),
  "v1-sunset": day.optional(),
  "base-domain": z
    .string()
    .toLowerCase()
    .transform(splitPort)
    .refine(isDomainWithPort, "must be a domain name, with or without a port"),
  "default-org": SUBDOMAIN_SHAPE,
  "log-retention": integer(1, MAX_RETENTION_DAYS),
  "log-noise-rate": integer(0, MAX_NOISE_RATE),
  "log-day-limit": integer(1, MAX_LOG_DAY),
  quotas: z.string().default("").transform(parseQuotas),
  "cache-size": integer(1, MAX_CACHE_MB),
  "search-limit": integer(1_000, 10_000_000),
  "api-connections": integer(2, 100),
  "statement-timeout": integer(1, 600),
  "rate-limits": z.string().transform((value, context) => {
    try {
      return parseRateLimits(value);
    } catch (error) {
      context.addIssue({ code: "custom", message: (error as Error).message });
      return z.NEVER;
    }
  }),
  ...LIMIT_SHAPES,
  "log-level": z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`),
});

/**
 * Check the given values and fill in the defaults.
 *
 * @throws {SettingsError} with the setting, the fault and the accepted values
 */
export function parseSettings(given: ReadonlyMap<SettingName, GivenValue>): Settings {
  const values = Object.entries<SettingFacts>(SETTINGS).map(([name, { fallback }]) => [
    name,
    given.get(name as SettingName)?.text ?? fallback,
  ]);
  const { data, error } = SCHEMA.safeParse(Object.fromEntries(values));
  if (error) throw describeIssue(error, given);

  const cert = data["tls-cert"];
  const key = data["tls-key"];
  if ((cert === undefined) !== (key === undefined)) throw new SettingsError("--tls-cert and --tls-key go together");
  const http = data.http ?? false;
  const trustedProxies = data["trusted-proxies"] ?? [];
  if (http && trustedProxies.length === 0)
    throw new SettingsError("--http needs --trusted-proxies: the addresses of the proxy that terminates TLS");
  assertTogether(data);
  const v1Deprecation = data["v1-deprecation"];
  const v1Sunset = data["v1-sunset"];
  assertOrder(v1Deprecation, v1Sunset);
  if (http && cert !== undefined) throw new SettingsError("--http and --tls-cert exclude each other");
  const databaseUrl = data["database-url"];
  return {
    port: data.port,
    host: data.host,
    ...toAdmin(data),
    dataFolder: data.data,
    databaseUrl,
    listenUrl: data["listen-url"],
    readUrl: data["read-url"],
    readMaxLag: data["read-max-lag"],
    demo: data.demo ?? databaseUrl === undefined,
    workers: data.workers,
    secrets: data.secrets ?? [],
    tlsFiles: cert !== undefined && key !== undefined ? { cert, key } : undefined,
    http,
    trustedProxies,
    namespace: data.namespace,
    apiTokenScheme: data["api-token-scheme"] ?? compileNamespace("settings", data.namespace).value,
    ...toSessionSettings(data),
    issuerRel: data["issuer-rel"],
    resourceAliases: data["resource-aliases"],
    strictHeaders: data["strict-headers"] ?? false,
    v1Deprecation,
    v1Sunset,
    baseDomain: data["base-domain"].domain,
    publicPort: data["base-domain"].port,
    defaultOrg: data["default-org"],
    rateLimits: data["rate-limits"],
    logRetentionDays: data["log-retention"],
    logNoiseRate: data["log-noise-rate"],
    logDayLimit: data["log-day-limit"] * MEBIBYTE,
    quotas: data.quotas,
    cacheBytes: data["cache-size"] * 1_000_000,
    searchLimit: data["search-limit"],
    apiConnections: data["api-connections"],
    statementTimeout: data["statement-timeout"],
    ...toLimits(data),
    logLevel: data["log-level"],
  };
}

function assertTogether(data: z.infer<typeof SCHEMA>): void {
  if (data["admin-port"] === data.port && data.port !== 0) {
    throw new SettingsError("--admin-port must be another than --port");
  }
  if (data["database-url"] !== undefined) return;
  if (data.workers > 1) throw new SettingsError("--workers needs --database-url: SQLite is for one process");
  for (const name of ["listen-url", "read-url"] as const) {
    if (data[name] !== undefined) throw new SettingsError(`--${name} needs --database-url`);
  }
}

function assertOrder(v1Deprecation: Date | undefined, v1Sunset: Date | undefined): void {
  if (v1Sunset && v1Deprecation && v1Sunset < v1Deprecation) {
    throw new SettingsError("--v1-sunset must not be before --v1-deprecation");
  }
}

function describeIssue(error: z.ZodError, given: ReadonlyMap<SettingName, GivenValue>): SettingsError {
  const {
    path: [name],
    message,
  } = error.issues[0] ?? { path: [], message: "" };
  const { source = `--${String(name)}`, text: value = "" } = given.get(name as SettingName) ?? {};
  const facts: SettingFacts = SETTINGS[name as SettingName];
  return new SettingsError(`${source} ${message}${facts.secret ? "" : `, not ${JSON.stringify(value)}`}`);
}

function splitList(value: string): string[] {
  return value.split(",").map((entry) => entry.trim());
}

/** `users=5000,rules=200`; the defaults for the others. */
function parseQuotas(value: string, context: z.RefinementCtx): Quotas {
  const quotas: Record<QuotaName, number> = { ...DEFAULT_QUOTAS };
  const given = new Set<string>();
  for (const entry of value === "" ? [] : splitList(value)) {
    const [, name = "", text = ""] = /^(\w+)=(\d{1,13})$/.exec(entry) ?? [];
    if (!Object.hasOwn(quotas, name) || given.has(name) || Number(text) > MAX_QUOTA) {
      const message = `must be a list such as users=5000,rules=200, each once, up to ${MAX_QUOTA}: ${QUOTA_NAMES.join(", ")}`;
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    }
    given.add(name);
    quotas[name as QuotaName] = Number(text);
  }
  return quotas;
}

function splitPort(value: string): { domain: string; port: number | undefined } {
  const [, domain = value, port] = /^(.*):(\d{1,5})$/.exec(value) ?? [];
  return { domain, port: port === undefined ? undefined : Number(port) };
}

/** Midnight in UTC. */
function parseDay(value: string): Date | undefined {
  return parseDate(`${value}T00:00:00.000Z`);
}

function isDomainWithPort({ domain, port }: ReturnType<typeof splitPort>): boolean {
  return isHostName(domain) && isIP(domain) === 0 && (port === undefined || (port > 0 && port <= MAX_PORT));
}

export function isSecret(value: string): boolean {
  return Buffer.byteLength(value) >= MIN_SECRET_LENGTH;
}
