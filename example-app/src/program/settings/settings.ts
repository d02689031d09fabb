import type { Quotas } from "../../model/quotas.js";
import type { ServerSettings } from "../../server.js";

/** Pino's levels, most verbose first. */
export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** The settings of the program: immutable, checked, with all defaults filled in. */
export interface Settings extends ServerSettings {
  readonly databaseUrl: string | undefined;
  readonly listenUrl: string | undefined;
  readonly readUrl: string | undefined;
  /** Whether the schema is brought up to date when the database is opened. */
  readonly migrate: boolean;
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
  /** `undefined` for no admin port. */
  readonly adminPort: number | undefined;
  readonly adminHost: string;
  /** In lower case. */
  readonly adminNames: readonly string[];
  /** Subdomains of the orgs whose decisions are in the metrics. */
  readonly metricsOrgs: readonly string[];
}

/** An error in the settings or files that prevents a start: one line for the person who started the server. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** The value of a setting or a flag, and its source: `--port` or `ETIQUETTE_PORT`. */
export interface GivenValue {
  readonly text: string;
  readonly source: string;
}
