import { isBaseUrl } from "../net/index.js";

const LONE_SURROGATE_REGEXP = /\p{Surrogate}/u;

/** An identity provider that the org has configured. */
export interface IdentityProvider {
  /** Appears in the links, as a segment of the path. */
  readonly id: string;
  /** `SAML2`, `OIDC`, … */
  readonly type: string;
  /** The name that people see. */
  readonly name: string;
  /**
   * Where OpenID Connect clients go on: the exact issuer of an OpenID Provider, an https URL without query and fragment.
   * The provider then has a link with the issuer relation too. `null` says that it has no issuer: whoever asks for one
   * doesn't get the org's own link instead, as without the member.
   */
  readonly issuer?: string | null;
}

/**
 * Whether `value` can be the issuer of an OpenID Provider: an https URL without query and fragment (OpenID Connect
 * Discovery 1.0 section 3), and without user. `http:` is for the hosts of this machine.
 */
export function isIssuer(value: string): boolean {
  return isBaseUrl(value.replace(/\/$/, ""));
}

/** The provider that signs a person in: a configured identity provider, or the org itself. */
export type SelectedProvider = IdentityProvider | "org";

/** One provider, or several in order of preference. Nothing, or an empty array, means the org itself. */
export type ProviderSelection = SelectedProvider | readonly SelectedProvider[] | null | undefined;

/**
 * Check the result of a resolver. An empty result becomes the org itself.
 *
 * @throws {TypeError} when an element is not a provider; the message names it
 */
export function parseSelection(value: unknown): readonly SelectedProvider[] {
  const selected: readonly unknown[] = Array.isArray(value) ? value : [value ?? "org"];
  if (selected.length === 0) return ["org"];
  for (const [index, provider] of selected.entries()) assertProvider(provider, index);
  return selected as readonly SelectedProvider[];
}

function assertProvider(value: unknown, index: number): asserts value is SelectedProvider {
  if (value === "org") return;
  if (typeof value !== "object" || value === null) {
    throw new TypeError(
      `webfinger: \`resolve\` must return \`{ id, type, name }\`, "org", an array of these, or nothing; ` +
        `provider ${index} is ${typeof value === "string" ? JSON.stringify(value) : String(value)}`,
    );
  }
  const provider = value as Readonly<Record<string, unknown>>;
  for (const member of ["id", "type", "name"]) {
    const text = provider[member];
    if (typeof text !== "string" || text === "" || LONE_SURROGATE_REGEXP.test(text)) {
      throw new TypeError(
        `webfinger: \`${member}\` of provider ${index} that \`resolve\` returned must be a non-empty, well-formed string`,
      );
    }
  }
  const { issuer } = provider;
  if (issuer === undefined || issuer === null || (typeof issuer === "string" && isIssuer(issuer))) return;
  throw new TypeError(
    `webfinger: \`issuer\` of provider ${index} that \`resolve\` returned must be an absolute https URL ` +
      "(http only for localhost, 127.0.0.0/8 and [::1]) without user, query or fragment, or null",
  );
}
