/** Who makes a request, as its credentials say. */
export interface Principal {
  /** The user or client; not empty. */
  readonly subject: string;
  /** What the credentials may be used for. */
  readonly scopes: readonly string[];
  /** What else is known, such as the claims of the access token. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** What a verifier of credentials returns: whose they are, or nothing when they are no good. */
export type Verdict = Principal | null | undefined;

export function isPrincipal(value: unknown): value is Principal {
  if (typeof value !== "object" || value === null) return false;
  const { subject, scopes } = value as Partial<Record<keyof Principal, unknown>>;
  return typeof subject === "string" && subject !== "" && Array.isArray(scopes) && scopes.every(isString);
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}
