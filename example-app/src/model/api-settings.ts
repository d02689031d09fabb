/** The settings of the API. */
export interface ApiSettings {
  readonly namespace: string;
  readonly apiTokenScheme: string;
  /** The secrets that encrypt cursors and kept responses, and key the hashes of fingerprints, newest first. */
  readonly secrets: readonly string[];
  readonly strictHeaders: boolean;
  /** The largest size of one org's responses that wait for clients that don't read them. */
  readonly unreadBytes: number;
  /** What the issuer relation of WebFinger leads to. */
  readonly issuerHref: "provider" | "org";
  readonly issuerRel: "https" | "echo" | "both";
  readonly resourceAliases: readonly string[];
  /** For API tokens whose maker says no time. In milliseconds, like the next two; `Infinity` for no end. */
  readonly tokenLifetime: number;
  readonly tokenMaxLifetime: number;
  /** After this time without a request, a session of the console ends. In milliseconds. */
  readonly consoleIdle: number;
  /** How long the old secret of a rotated API token may be valid. */
  readonly tokenOverlap: number;
  /** When operations of v1 that v2 has too are deprecated and when they end (rule N2). */
  readonly v1Deprecation: Readonly<Date> | undefined;
  readonly v1Sunset: Readonly<Date> | undefined;
}
