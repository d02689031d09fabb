import { z } from "zod";
import { ID_REGEXP } from "./ids.js";
import { SEVERITIES, type ApiToken, type Idp, type Policy, type TrustedOrigin, type Zone } from "./records.js";
import { IDP_SHAPE, PROFILE_POLICY_SHAPE, ZONE_SHAPE } from "./shapes.js";
import { TRUSTED_ORIGIN_SHAPE } from "./trust-shapes.js";

/** The records as they are sent, without their links. */

export const ID = z.string().regex(ID_REGEXP);

/** `YYYY-MM-DDTHH:mm:ss.SSSZ` */
export const DATE = z.string().meta({ format: "date-time" });

const STATUS = z.enum(["ACTIVE", "INACTIVE"]);

/** What every record has. */
const RECORD = { id: ID, created: DATE, lastUpdated: DATE };

export const SENT_IDP = z.object({
  ...RECORD,
  name: IDP_SHAPE.shape.name,
  type: IDP_SHAPE.shape.type,
  status: STATUS,
  protocol: IDP_SHAPE.shape.protocol,
  metadata: z
    .object({
      lastRefreshed: DATE.nullable().describe("When it was last fetched and had no fault."),
      lastError: z.string().nullable().describe("Why the last attempt failed."),
    })
    .exactOptional()
    .describe("Of a provider with protocol.metadata."),
  certificate: z
    .object({
      validFrom: DATE,
      validTo: DATE.describe("When it expires. The System Log warns 30 days before."),
      fingerprint: z.string().describe("SHA-256, in hexadecimal pairs."),
    })
    .exactOptional()
    .describe("Of the certificate in protocol.credentials.trust. Lists don't have it."),
}) satisfies z.ZodType<Omit<Idp, "metadata">>;

export const SENT_ZONE = z.object({
  ...RECORD,
  type: z.literal("IP"),
  name: ZONE_SHAPE.shape.name,
  status: STATUS,
  gateways: ZONE_SHAPE.shape.gateways.unwrap(),
  proxies: ZONE_SHAPE.shape.proxies.unwrap(),
}) satisfies z.ZodType<Zone>;

export const SENT_TRUSTED_ORIGIN = z.object({
  ...RECORD,
  name: TRUSTED_ORIGIN_SHAPE.shape.name,
  origin: TRUSTED_ORIGIN_SHAPE.shape.origin,
  scopes: TRUSTED_ORIGIN_SHAPE.shape.scopes,
  status: STATUS,
}) satisfies z.ZodType<TrustedOrigin>;

export const SENT_POLICY = z.object({
  ...RECORD,
  type: z.literal("IDP_DISCOVERY"),
  name: z.string(),
  status: z.literal("ACTIVE"),
  system: z.literal(true),
  priority: z.literal(1),
  conditions: z.null(),
  whenProfileUnavailable: PROFILE_POLICY_SHAPE.describe(
    "What a rule does that needs a profile which can't be read: the response is 503, or the next rule is tried.",
  ),
}) satisfies z.ZodType<Policy>;

/** @param scope the scopes that there are, with the namespace */
export const sentApiToken = (scope: z.ZodType<string>) =>
  z.object({
    ...RECORD,
    name: z.string(),
    scopes: z.array(scope),
    expiresAt: DATE.nullable(),
    previousSecretExpiresAt: DATE.nullable().describe("The end of the secret before the last rotation."),
    addresses: z.array(z.string()).describe("Addresses and ranges from which it may be used; empty for everywhere."),
    createdBy: z
      .object({ type: z.enum(["AccessToken", "ApiToken", "Command"]), id: z.string() })
      .nullable()
      .describe("Null if that was not recorded yet."),
    lastUsed: DATE.nullable().describe("Within about a minute."),
  }) satisfies z.ZodType<Omit<ApiToken, "hash" | "previous">>;

const LOG_ENTITY = z
  .object({
    id: z.string(),
    type: z.string(),
    alternateId: z.string(),
    displayName: z.string(),
    detailEntry: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: "LogEntity" });

const NOTHING = z.object({});

export const SENT_LOG_EVENT = z.object({
  uuid: z.string(),
  published: DATE,
  eventType: z.string(),
  version: z.literal("0"),
  severity: z.enum(SEVERITIES),
  displayMessage: z.string(),
  actor: LOG_ENTITY,
  client: z.object({
    userAgent: z.object({ rawUserAgent: z.string(), os: z.string(), browser: z.string() }),
    zone: z.string().nullable().describe("Name of the zone that contains the address."),
    device: z.enum(["Computer", "Mobile", "Tablet", "Unknown"]),
    id: z.string().nullable(),
    ipAddress: z.string().nullable(),
    geographicalContext: z.null(),
    languages: z.array(z.string()).exactOptional().describe("Of Accept-Language, the preferred one first."),
    deviceFingerprint: z.string().exactOptional().describe("A hash."),
  }),
  outcome: z.object({ result: z.enum(["SUCCESS", "FAILURE"]), reason: z.string().nullable() }),
  target: z.array(LOG_ENTITY).nullable(),
  transaction: z.object({ type: z.enum(["WEB", "JOB"]), id: z.string(), detail: NOTHING }),
  debugContext: z.object({
    debugData: z.object({ requestId: z.string(), requestUri: z.string(), url: z.string() }).catchall(z.string()),
  }),
  authenticationContext: NOTHING,
  securityContext: NOTHING,
  request: z.object({
    ipChain: z.array(
      z.object({
        ip: z.string(),
        geographicalContext: z.null(),
        version: z.enum(["V4", "V6"]),
        source: z.string().nullable(),
      }),
    ),
  }),
});
