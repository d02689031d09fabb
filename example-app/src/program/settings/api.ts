import { parseDate } from "etiquette/dates";
import { securityTxt } from "etiquette/security-txt";
import { z } from "zod";
import type { SettingGroup } from "./setting.js";
import { compilable, splitList, toggle } from "./shapes.js";

/** A URI scheme with its colon, RFC 3986 section 3.1, and optional further characters. */
const PREFIX_REGEXP = /^[a-z][a-z0-9+.-]*:[\x21-\x7e]*$/i;

const day = z
  .string()
  .refine((value) => parseDay(value) !== undefined, "must be a date such as 2027-06-30")
  .transform(parseDay)
  .optional();

/** WebFinger and the API. */
export const API = {
  "issuer-href": {
    placeholder: "WHAT",
    fallback: "org",
    help: "where the issuer relation of WebFinger leads: to the issuer of the selected OpenID provider, or to the org: provider or org",
    details:
      "With `provider`, OpenID Connect clients go on from WebFinger to the provider; a login whose providers are of another kind has no issuer.",
    shape: z.enum(["provider", "org"], "must be provider or org"),
    target: "issuerHref",
  },
  "issuer-rel": {
    placeholder: "FORM",
    fallback: "https",
    help: "form of the issuer relation in WebFinger responses: https, echo or both",
    details: "It is for the link to the org itself. `echo` is the form that the client asked for.",
    shape: z.enum(["https", "echo", "both"], "must be https, echo or both"),
    target: "issuerRel",
  },
  "resource-aliases": {
    placeholder: "LIST",
    fallback: "acct:",
    help: "prefixes of a WebFinger resource in addition to <namespace>:acct:, or none",
    shape: z
      .string()
      .transform((value) => (value === "none" ? [] : splitList(value)))
      .pipe(z.array(z.string().regex(PREFIX_REGEXP, "must be none or a list of URI prefixes such as acct:"))),
    target: "resourceAliases",
  },
  "security-contact": {
    placeholder: "LIST",
    help: "where to report a vulnerability: URIs such as mailto:security@example.com; without it no security.txt",
    details: "It is at `/.well-known/security.txt` of every org.",
    shape: compilable(
      (value) => securityTxt({ contact: splitList(value) }),
      "must be a list of mailto:, https: or tel: URIs",
    )
      .transform(splitList)
      .default([]),
    target: "securityContact",
  },
  "strict-headers": {
    help: "refuse requests that lack Content-Type or Accept",
    details: "Sign-on redirects and `metadata.xml` are exempt: browsers ask for them.",
    shape: toggle.default(false),
    target: "strictHeaders",
  },
  "v1-deprecation": {
    placeholder: "DATE",
    help: "when operations of v1 that v2 has too are deprecated: YYYY-MM-DD, past or future; without it no Deprecation",
    details: "The day begins at midnight UTC.",
    shape: day,
    target: "v1Deprecation",
  },
  "v1-sunset": {
    placeholder: "DATE",
    help: "when these operations end: YYYY-MM-DD, not before --v1-deprecation; without it they don't end",
    details: "`Sunset` announces it. From then on the operations are 410.",
    shape: day,
    target: "v1Sunset",
  },
} as const satisfies SettingGroup;

/** Midnight in UTC. */
function parseDay(value: string): Date | undefined {
  return parseDate(`${value}T00:00:00.000Z`);
}
