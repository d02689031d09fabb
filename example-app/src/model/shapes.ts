import { X509Certificate } from "node:crypto";
import { parseIpRange } from "etiquette/ip-ranges";
import { z } from "zod";
import { explain, faultOf } from "./faults.js";
import { ID_REGEXP } from "./ids.js";
import { PROFILE_POLICIES } from "./profile-policies.js";
import { MAX_RATE_LIMIT, RATE_CLASSES, type RateClass } from "./rate-limits.js";
import { checkVisible } from "./visible-text.js";

/**
 * The accepted values of records, in an import file and in the API; docs/guides/import.md and docs/reference/api.md describe them in
 * text.
 */

export const LIMITS = {
  /** Characters. */
  name: 128,
  login: 255,
  /** In characters: an SSO address, and each text of a profile. */
  text: 2_048,
  certificate: 16_384,
  pattern: 255,
  domains: 50,
  providers: 10,
  /** The length of a provider expression in characters, and its calls. */
  expression: 255,
  calls: 8,
  patterns: 1_000,
  platforms: 32,
  /** For each list of ranges of a zone, and for the zones in a condition. */
  ranges: 150,
  attributes: 100,
  /** Bytes of a profile as JSON, in UTF-8. */
  profile: 65_536,
  /** Elements of a profile attribute. */
  elements: 100,
  /** In characters: a scheme, a domain name and a port. */
  origin: 300,
  issuers: 10,
  audience: 255,
  /** Keys of an issuer, and characters of each as JSON. */
  keys: 100,
  key: 16_384,
  /** Types of tokens of an issuer, and characters of each. */
  tokenTypes: 5,
  tokenType: 64,
} as const;

export const IDP_TYPES = [
  "SAML2",
  "OIDC",
  "APPLE",
  "FACEBOOK",
  "GITHUB",
  "GITLAB",
  "GOOGLE",
  "LINKEDIN",
  "MICROSOFT",
] as const;

/** The most addresses in a range of proxies: a /8 of IPv4, a /16 of IPv6. */
const MAX_PROXIES = { 4: 1n << 24n, 6: 1n << 112n } as const;

/** Means all zones in a rule. */
export const ALL_ZONES = "ALL_ZONES";

/** One line of text without white space at either end. */
const LINE_REGEXP = /^(?!\s)[^\p{Cc}\u2028\u2029]*(?<!\s)$/u;

/** RFC 1035 section 2.3.1, in lower case; a digit may come first (RFC 1123 section 2.1). */
const LABEL_REGEXP = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/** Exactly one certificate, and nothing else such as its private key (RFC 7468 section 5). */
const PEM_REGEXP = /^\s*-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*$/;

/** An object with only these keys. */
export function record<T extends z.core.$ZodLooseShape>(shape: T): z.ZodObject<T, z.core.$strict> {
  const keys = Object.keys(shape).join(", ");
  return z.strictObject(shape, {
    error: ({ code }) => (code === "unrecognized_keys" ? `is unknown; the keys here are ${keys}` : undefined),
  });
}

/** Text of people, such as a name. Stored ones may have characters that nobody sees; see {@link line}. */
export const storedLine = (max: number) =>
  z.string().min(1).max(max).regex(LINE_REGEXP, "must be one line without white space around it");

/** Text of people without characters that nobody sees. */
export const line = (max: number) => storedLine(max).superRefine(checkVisible);

/** The elements of a list that are told to be wrong: to describe a thousand takes long. */
const MAX_WRONG = 20;

/** An array. The elements of one that is too long are not checked. */
export const list = <T extends z.ZodType>(element: T, { min = 0, max }: Readonly<{ min?: number; max: number }>) => {
  const elements = z.array(z.unknown()).min(min).max(max);
  return (max > MAX_WRONG ? elements.superRefine(refuseWrong(element, max)) : elements).pipe(z.array(element));
};

export const NAME_SHAPE = line(LIMITS.name);
export const ID_SHAPE = z
  .string()
  .regex(ID_REGEXP, "must be 20 letters and digits, as in an export; leave it out for a new one")
  .exactOptional();
export const STATUS_SHAPE = z.enum(["ACTIVE", "INACTIVE"]).exactOptional();
export const SUBDOMAIN_SHAPE = z
  .string()
  .regex(LABEL_REGEXP, "must be 1 to 63 lower-case letters, digits and inner hyphens");
const domain = z.string().refine(isDomain, "must be a domain name such as id.example.com, in lower case");

const httpUrl = z
  .string()
  .max(LIMITS.text)
  .refine(isHttpUrl, "must be an https or http URL without user name, fragment and white space");

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Where something is fetched from. */
export const SAFE_URL_SHAPE = z
  .string()
  .max(LIMITS.text)
  .refine(isSafeUrl, "must be an https URL (http on the loopback)");

const certificate = z
  .string()
  .max(LIMITS.certificate)
  .refine(isCertificate, "must be one certificate in PEM form, -----BEGIN CERTIFICATE----- and so on");

export const IDP_SHAPE = record({
  id: ID_SHAPE,
  name: NAME_SHAPE,
  type: z.enum(IDP_TYPES),
  status: STATUS_SHAPE,
  protocol: record({
    type: z.enum(["SAML2", "OIDC", "OAUTH2"]),
    endpoints: record({
      sso: record({ url: httpUrl, binding: z.enum(["HTTP-POST", "HTTP-REDIRECT"]) }),
    }),
    credentials: record({
      trust: record({
        issuer: line(LIMITS.text).exactOptional(),
        audience: line(LIMITS.text).exactOptional(),
        certificate: certificate.exactOptional(),
      }).exactOptional(),
      client: record({ clientId: line(LIMITS.name) }).exactOptional(),
    }).exactOptional(),
    metadata: record({ url: SAFE_URL_SHAPE }).exactOptional(),
  }),
}).superRefine(({ type, protocol }, context) => {
  const fault = metadataFault(protocol);
  if (fault) context.addIssue({ code: "custom", ...fault });
  const allowed = type === "SAML2" || type === "OIDC" ? [type] : ["OIDC", "OAUTH2"];
  if (!allowed.includes(protocol.type)) {
    context.addIssue({
      code: "custom",
      path: ["protocol", "type"],
      message: `must be ${allowed.join(" or ")} for an identity provider of the type ${type}`,
    });
  }
});

const ranges = (compile: (value: string) => unknown) =>
  list(
    record({ type: z.enum(["CIDR", "RANGE"]), value: z.string().max(LIMITS.name, { abort: true }) }).superRefine(
      (range, context) => {
        const message = rangeFault(range, compile);
        if (message !== undefined) context.addIssue({ code: "custom", path: ["value"], message });
      },
    ),
    { max: LIMITS.ranges },
  ).exactOptional();

export const ZONE_SHAPE = record({
  id: ID_SHAPE,
  name: NAME_SHAPE.refine(
    (value) => value !== ALL_ZONES,
    `can't be ${ALL_ZONES}, which stands for all zones in a rule`,
  ),
  status: STATUS_SHAPE,
  gateways: ranges(parseIpRange),
  proxies: ranges(assertProxies),
});

const records = z.array(z.unknown()).exactOptional();

const rateLimit = z.int().min(1).max(MAX_RATE_LIMIT).exactOptional();
const rateLimits = record(
  Object.fromEntries(RATE_CLASSES.map((name) => [name, rateLimit])) as Record<RateClass, typeof rateLimit>,
);

export const PROFILE_POLICY_SHAPE = z.enum(PROFILE_POLICIES);

/** The records in the lists are checked one by one, with their own shapes. */
export const ORG_SHAPE = record({
  subdomain: SUBDOMAIN_SHAPE,
  name: NAME_SHAPE,
  status: z.enum(["ACTIVE", "SUSPENDED"]).exactOptional(),
  domains: list(domain, { max: LIMITS.domains }).exactOptional(),
  policyId: ID_SHAPE,
  rateLimits: rateLimits.exactOptional(),
  signInUrl: httpUrl.nullable().exactOptional(),
  whenProfileUnavailable: PROFILE_POLICY_SHAPE.exactOptional(),
  idps: records,
  zones: records,
  trustedOrigins: records,
  issuers: z.array(z.unknown()).max(LIMITS.issuers).exactOptional(),
  users: records,
  rules: records,
  routingTests: records,
  defaultRule: z.unknown().exactOptional(),
});

export const DOCUMENT_SHAPE = record({ orgs: z.array(z.unknown()) });

export type FileOrg = z.infer<typeof ORG_SHAPE>;
export type FileIdp = z.infer<typeof IDP_SHAPE>;
export type FileZone = z.infer<typeof ZONE_SHAPE>;

/** Labels with dots between them, 253 characters at most (RFC 1123 section 2.1). */
export function isHostName(text: string): boolean {
  return text.length <= 253 && text.split(".").every((label) => LABEL_REGEXP.test(label));
}

function isDomain(text: string): boolean {
  return isHostName(text) && text.includes(".") && !/\.[0-9]+$/.test(text);
}

export function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(text) || !URL.canParse(text)) return false;
  const { username, password, hash } = new URL(text);
  return username === "" && password === "" && hash === "" && !text.endsWith("#");
}

/** Whether nobody on the network can change requests to this URL and its responses. */
export function isSafeUrl(text: string): boolean {
  return isHttpUrl(text) && isSafeOrigin(text);
}

/** Whether nobody on the network can change the pages of this origin. */
export function isSafeOrigin(text: string): boolean {
  const { protocol, hostname } = new URL(text);
  return protocol !== "http:" || LOOPBACK_HOSTS.has(hostname);
}

/** Metadata is known to be that of the provider by its issuer. */
function metadataFault({
  type,
  metadata,
  credentials,
}: Readonly<{ type: string; metadata?: object; credentials?: { trust?: { issuer?: string } } }>) {
  if (metadata === undefined) return undefined;
  if (type === "OAUTH2") return { path: ["protocol", "metadata"], message: "is for the protocols SAML2 and OIDC" };
  if (credentials?.trust?.issuer !== undefined) return undefined;
  const path = ["protocol", "credentials", "trust", "issuer"];
  return { path, message: "is required with protocol.metadata, in which it must be the same" };
}

function isCertificate(text: string): boolean {
  return PEM_REGEXP.test(text) && faultOf(() => new X509Certificate(text)) === undefined;
}

/** Proxies that hold a large part of all addresses would let many clients choose their own. */
function assertProxies(value: string): void {
  const { version, first, last } = parseIpRange(value);
  if (last - first < MAX_PROXIES[version]) return;
  throw new TypeError(`"${value}" has more addresses than a ${version === 4 ? "/8" : "/16"}; list the proxies`);
}

function rangeFault(
  { type, value }: { type: "CIDR" | "RANGE"; value: string },
  compile: (value: string) => unknown,
): string | undefined {
  if ((type === "CIDR") !== value.includes("/")) {
    return type === "CIDR" ? "must be a block such as 192.0.2.0/24" : "must be 192.0.2.1 or 192.0.2.1-192.0.2.9";
  }
  return faultOf(() => compile(value));
}

/** A check that ends at the first {@link MAX_WRONG} elements that are wrong. Unknown members, which the API leaves out, are not. */
function refuseWrong(element: z.ZodType, max: number) {
  return (elements: readonly unknown[], context: z.RefinementCtx): void => {
    if (elements.length <= MAX_WRONG || elements.length > max) return;
    const wrong: { path: PropertyKey[]; message: string }[] = [];
    let count = 0;
    for (const [index, value] of elements.entries()) {
      const { issues = [] } = element.safeParse(value, { error: explain }).error ?? {};
      const faults = issues.filter(({ code }) => code !== "unrecognized_keys");
      wrong.push(...faults.map(({ path, message }) => ({ path: [index, ...path], message })));
      if (faults.length > 0) count++;
      if (count === MAX_WRONG) break;
    }
    if (count === MAX_WRONG) for (const fault of wrong) context.addIssue({ code: "custom", ...fault });
  };
}
