import type { Check } from "../check.js";
import { CONTENT_TYPE_CHECKS } from "./content-types.js";
import { CORS_CHECKS } from "./cors.js";
import { CREDENTIAL_CHECKS } from "./credentials.js";
import { ENTITY_TAG_CHECKS } from "./entity-tags.js";
import { ERROR_CHECKS } from "./errors.js";
import { FILTER_CHECKS } from "./filters.js";
import { FRAMING_CHECKS } from "./framing.js";
import { HEADER_CHECKS } from "./headers.js";
import { IDEMPOTENCY_CHECKS } from "./idempotency.js";
import { LIST_CHECKS } from "./lists.js";
import { PATCH_CHECKS } from "./patches.js";
import { QUERY_CHECKS } from "./queries.js";
import { TEXT_CHECKS } from "./text.js";
import { TLS_CHECKS } from "./tls.js";
import { WRITE_CHECKS } from "./writes.js";

/** All checks by their group, in the order in which they run. Errors come last: they judge all failures of the run. */
export const CHECK_GROUPS: Readonly<Record<string, readonly Check[]>> = {
  TLS: TLS_CHECKS,
  Headers: HEADER_CHECKS,
  Writes: WRITE_CHECKS,
  "Content types": CONTENT_TYPE_CHECKS,
  "Framing, below the framework": FRAMING_CHECKS,
  "Text and URLs": TEXT_CHECKS,
  CORS: CORS_CHECKS,
  "Entity tags": ENTITY_TAG_CHECKS,
  Patches: PATCH_CHECKS,
  "Idempotency keys": IDEMPOTENCY_CHECKS,
  Lists: LIST_CHECKS,
  QUERY: QUERY_CHECKS,
  Filters: FILTER_CHECKS,
  Credentials: CREDENTIAL_CHECKS,
  Errors: ERROR_CHECKS,
};

export const CHECKS: readonly Check[] = Object.values(CHECK_GROUPS).flat();
