import { TRUSTED_ORIGIN_SHAPE } from "../model/trust-shapes.js";
import { recordResources } from "../rest/records.js";
import type { ApiDependencies, Resource } from "../rest/resource.js";
import { fromTrustedOrigin, toTrustedOrigin } from "../store/rows.js";

/** The origins whose pages may call the org's API (scope CORS) or be returned to after signing in (REDIRECT). */
export function trustedOriginResources(dependencies: ApiDependencies): Resource[] {
  return recordResources(
    {
      name: "trustedOrigins",
      table: "trusted_origins",
      label: "TrustedOrigin",
      eventType: "security.trusted_origin",
      shape: TRUSTED_ORIGIN_SHAPE,
      build: ({ name, origin, scopes }) => ({ name, origin, scopes }),
      toRecord: toTrustedOrigin,
      fromRecord: fromTrustedOrigin,
    },
    dependencies,
  );
}
