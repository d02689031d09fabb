import { describeTrustedOrigin } from "../audit/describe-change.js";
import type { TrustedOrigin } from "../model/records.js";
import { SENT_TRUSTED_ORIGIN } from "../model/sent-shapes.js";
import { TRUSTED_ORIGIN_SHAPE } from "../model/trust-shapes.js";
import { namedResources } from "../rest/named.js";
import type { ApiDependencies, Resource } from "../rest/resource.js";
import { TRUSTED_ORIGINS } from "../store/records/resource-tables.js";

const EXAMPLE = { name: "Portal", origin: "https://portal.example.com", scopes: [{ type: "CORS" }] };

/**
 * The origins whose pages may call the org's API (scope CORS) or to which users may return after signing in (REDIRECT).
 */
export function trustedOriginResources(dependencies: ApiDependencies): Resource[] {
  return namedResources(
    {
      label: "TrustedOrigin",
      path: "/trustedOrigins/:id",
      table: TRUSTED_ORIGINS,
      unique: ["name", "origin"],
      describe: describeTrustedOrigin,
      shape: SENT_TRUSTED_ORIGIN,
      body: TRUSTED_ORIGIN_SHAPE.meta({ examples: [EXAMPLE] }),
      build: ({ name, origin, scopes }, base): TrustedOrigin => ({ name, origin, scopes, ...base }),
    },
    dependencies,
  );
}
