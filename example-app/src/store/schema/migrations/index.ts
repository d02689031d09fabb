import { up as discovery } from "./0001-discovery.js";
import { up as administration } from "./0002-administration.js";
import { up as userNames } from "./0004-user-names.js";
import { up as orgQuotas } from "./0006-org-quotas.js";
import { up as issuerTypes } from "./0007-issuer-types.js";
import { up as tokens } from "./0007-tokens.js";
import { up as logSizes } from "./0008-log-sizes.js";
import { up as rateLimits } from "./0009-rate-limits.js";
import { up as console } from "./0010-console.js";
import { up as revisions } from "./0011-revisions.js";
import { up as bytes } from "./0012-bytes.js";
import { up as dynamicRules } from "./0013-dynamic-rules.js";
import { up as idempotency } from "./0015-idempotency.js";
import { up as idpMetadata } from "./0016-idp-metadata.js";
import { up as routingTests } from "./0021-routing-tests.js";
import { up as signInUrl } from "./0020-sign-in-url.js";
import { up as history } from "./0018-history.js";
import { up as decisions } from "./0017-decisions.js";
import { up as profilePolicy } from "./0022-profile-policy.js";
import { up as idpCertificates } from "./0023-idp-certificates.js";
import { up as userWords } from "./0025-user-words.js";
import type { Migration, Up } from "./common.js";

/** Made the view of the log, which a later migration makes anew. */
const viewOfLog: Up = () => Promise.resolve();

/**
 * By their names, in the order in which they run. A released migration never changes; add a new one. Its name ends with the
 * version of the schema that it belongs to, `0022-example@2`; those without belong to version 1, and run together.
 */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-discovery": discovery,
  "0002-administration": administration,
  "0003-log-facts": viewOfLog,
  "0004-user-names": userNames,
  "0005-log-context": viewOfLog,
  "0006-org-quotas": orgQuotas,
  "0007-issuer-types": issuerTypes,
  "0007-tokens": tokens,
  "0008-log-sizes": logSizes,
  "0009-rate-limits": rateLimits,
  "0010-console": console,
  "0011-revisions": revisions,
  "0012-bytes": bytes,
  "0013-dynamic-rules": dynamicRules,
  "0014-log-view": viewOfLog,
  "0015-idempotency": idempotency,
  "0016-idp-metadata": idpMetadata,
  "0017-decisions": decisions,
  "0018-history": history,
  "0020-sign-in-url": signInUrl,
  "0021-routing-tests": routingTests,
  "0022-profile-policy@2": profilePolicy,
  "0023-idp-certificates@2": idpCertificates,
  "0024-idp-certificates@2": {
    index: { name: "idps_certificate_expires", table: "idps", columns: ["certificate_expires"] },
  },
  "0025-user-words@2": userWords,
  "0026-user-words@2": {
    index: {
      name: "users_without_words",
      table: "users",
      columns: ["org_id", "words_revision", "id"], // no other index has this order, so each database takes it
      where: { sqlite: "words_revision is not revision", postgresql: "words_revision is distinct from revision" },
    },
  },
};
