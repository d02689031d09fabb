import type { Request, RequestHandler } from "express";
import { compileAccept } from "etiquette/accept";
import { formatLink } from "etiquette/links";
import { getQuery } from "etiquette/query-parameters";
import { z } from "zod";
import { describeIdp } from "../audit/describe-change.js";
import { certificateFacts } from "../model/certificates.js";
import { apiError, type ApiError } from "../model/api-error.js";
import { createRefresher } from "../metadata/refresher.js";
import { nextMetadataState } from "../model/metadata-state.js";
import type { Idp } from "../model/records.js";
import { SENT_IDP } from "../model/sent-shapes.js";
import { IDP_SHAPE, IDP_TYPES } from "../model/shapes.js";
import { createTurns } from "../pace/turns.js";
import { assertOneOf } from "../rest/body.js";
import { namedResources } from "../rest/named.js";
import { resourceNotFound } from "../rest/reading.js";
import type { ApiDependencies, Resource } from "../rest/resource.js";
import { IDPS } from "../store/records/resource-tables.js";
import { getTenant } from "../tenancy/tenant.js";
import { formatMetadata, hasMetadata } from "./idp-metadata.js";
import { readMetadataResource } from "./read-metadata.js";
import { REFRESH, refreshMetadataResource } from "./refresh-metadata.js";
import { assertIdpUnused } from "./rule-references.js";
import { createTestGuard } from "./test-guard.js";

/** The type in links, and the registered type of SAML metadata (SAML metadata 2.0, appendix A). */
const XML_TYPE = "application/xml";
const METADATA_TYPES = [XML_TYPE, "application/samlmetadata+xml"];
const selectType = compileAccept(METADATA_TYPES);

/** How many hosts a process asks at once because of requests, and how many requests may wait. */
const TURNS = { size: 8, share: 2, maxWaiting: 4, patience: 20_000 };

const DAY_MS = 86_400_000;

const EXAMPLE = {
  name: "Contoso",
  type: "SAML2",
  protocol: {
    type: "SAML2",
    endpoints: { sso: { url: "https://sso.contoso.example/saml", binding: "HTTP-POST" } },
    credentials: { trust: { issuer: "https://sso.contoso.example" } },
  },
};

const IDP = { label: "IdentityProvider", path: "/idps/:id", table: IDPS } as const;

/** The identity providers that rules lead to. */
export function idpResources(dependencies: ApiDependencies): Resource[] {
  const { store, metadata = createRefresher({ networks: [], interval: DAY_MS }) } = dependencies;
  const asking = { store, metadata, turns: createTurns(TURNS) };

  return [
    readMetadataResource("/idps/metadata", asking), // before the path of one provider, which it is like
    ...namedResources(
      {
        ...IDP,
        cors: ["read"],
        guard: createTestGuard(dependencies),
        describe: describeIdp,
        shape: SENT_IDP,
        body: IDP_SHAPE.meta({ examples: [EXAMPLE] }),
        build: ({ name, type, protocol }, base, { before, now }): Idp => ({
          ...{ name, type, protocol, ...base },
          metadata: nextMetadataState(protocol, before, now),
        }),
        format: formatIdp,
        detail: describeCertificate,
        content: ({ metadata: _, ...idp }) => idp, // a fetch that changes nothing must not refuse anybody's edit
        links: (idp, url) => ({
          refreshMetadata:
            idp.metadata === null ? undefined : formatLink(`${url}/lifecycle/${REFRESH}`, { method: "post" }),
          metadata: hasMetadata(idp) ? formatLink(`${url}/metadata.xml`, { type: "application/xml" }) : undefined,
        }),
        relations: ["metadata", "refreshMetadata"],
        more: (type) => [refreshMetadataResource(type, asking)],
        parameters: { type: { shape: z.enum(IDP_TYPES), description: "Only those of this type." } },
        equals: readType,
        assertReplaceable,
        assertRemovable: assertIdpUnused,
      },
      dependencies,
    ),
    {
      path: `${IDP.path}/metadata.xml`,
      // public, because WebFinger gives its address to everyone
      operations: {
        GET: {
          id: "getIdentityProviderMetadata",
          summary: "Get the SAML metadata of an identity provider",
          scope: null,
          cors: true,
          produces: METADATA_TYPES,
          isNegotiated: false,
          sent: { content: { name: "SamlMetadata", shape: z.string() } },
          handlers: [sendMetadata(store)],
        },
      },
    },
  ];
}

function sendMetadata(store: ApiDependencies["store"]): RequestHandler {
  return async (req, res) => {
    const id = String(req.params["id"]);
    const idp = await store.findActiveIdp(getTenant(req).org.id, id);
    if (!idp) throw resourceNotFound(id, IDP.label);
    const xml = formatMetadata(idp);
    if (xml === undefined) throw withoutMetadata(idp);
    const type = selectType(req.headers.accept) ?? XML_TYPE; // a document that has one form: never 406
    res.setHeader("Content-Type", `${type}; charset=utf-8`);
    res.send(xml);
  };
}

function formatIdp({ metadata, ...idp }: Idp) {
  if (!metadata) return idp;
  const { lastRefreshed, lastError } = metadata;
  return { ...idp, metadata: { lastRefreshed, lastError } };
}

/** Not in lists: to read those of 200 providers takes too long a turn. */
function describeCertificate({ protocol }: Idp) {
  const certificate = certificateFacts(protocol.credentials?.trust?.certificate ?? "");
  return certificate ? { certificate } : {};
}

function readType(req: Request): { type?: Idp["type"] } {
  const type = getQuery(req).get("type");
  if (type === undefined || type === "") return {};
  assertOneOf("type", type, IDP_TYPES);
  return { type };
}

function assertReplaceable(before: Idp, after: Idp): void {
  if (after.type === before.type) return;
  const causes = [`type: is ${before.type}; create another identity provider for ${after.type}.`];
  throw apiError("E0000078", { type: "attribute.immutable", detail: "type", causes });
}

function withoutMetadata({ id, type }: Idp): ApiError {
  const cause =
    type === "SAML2"
      ? "Its protocol.credentials.trust.issuer is not given, or can be no entity id."
      : `It is of the type ${type}; only SAML2 has metadata.`;
  const detail = `Resource not found: ${id} (${IDP.label} metadata)`;
  return apiError("E0000007", { type: "resource.unknown", detail, causes: [cause] });
}
