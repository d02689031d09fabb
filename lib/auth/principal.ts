/** Who makes a request, according to its credentials. */
export interface Principal {
  /** The id of the user or client; not empty. */
  readonly subject: string;
  /** The scopes that were granted to the credentials. */
  readonly scopes: readonly string[];
  /** Further facts, such as the claims of the access token. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** The result of a verifier: the principal, or nothing when the credentials are not valid. */
export type Verdict = Principal | null | undefined;

export function isPrincipal(value: unknown): value is Principal {
  if (typeof value !== "object" || value === null) return false;
  const { subject, scopes } = value as Partial<Record<keyof Principal, unknown>>;
  return typeof subject === "string" && subject !== "" && Array.isArray(scopes) && scopes.every(isString);
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}
