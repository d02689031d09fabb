import type { Request, RequestHandler } from "express";
import { getNegotiatedType } from "etiquette/content-type";
import { formatLink } from "etiquette/links";
import { getQuery } from "etiquette/query-parameters";
import { sql, type RawBuilder, type SqlBool } from "kysely";
import { ApiError } from "../model/api-error.js";
import { excerpt } from "../model/faults.js";
import { IDP_TYPES, type Idp } from "../model/records.js";
import { IDP_SHAPE } from "../model/shapes.js";
import { invalid } from "../rest/body.js";
import { assertId, recordResources, resourceNotFound } from "../rest/records.js";
import type { ApiDependencies, Resource } from "../rest/resource.js";
import { fromIdp, toIdp } from "../store/rows.js";
import type { WriteTransaction } from "../store/transaction.js";
import { getTenant } from "../tenancy/tenant.js";
import { formatMetadata, hasMetadata } from "./idp-metadata.js";
import { assertIdpUnused } from "./rule-references.js";

const LABEL = "IdentityProvider";

/** What links say, and what SAML metadata is registered as (SAML metadata 2.0, appendix A). */
const METADATA_TYPES = ["application/xml", "application/samlmetadata+xml"];

/** The identity providers that rules lead to. */
export function idpResources(dependencies: ApiDependencies): Resource[] {
  const { store } = dependencies;

  const metadata: RequestHandler = async (req, res) => {
    const id = String(req.params["id"]);
    assertId(id, LABEL);
    const row = await store.reader
      .selectFrom("idps")
      .selectAll()
      .where("org_id", "=", getTenant(req).org.id)
      .where("id", "=", id)
      .executeTakeFirst();
    if (!row) throw resourceNotFound(id, LABEL);
    const xml = formatMetadata(toIdp(row));
    if (xml === undefined) throw withoutMetadata(id, row.type);
    res.setHeader("Content-Type", `${getNegotiatedType(req)}; charset=utf-8`);
    res.send(xml);
  };

  return [
    ...recordResources(
      {
        name: "idps",
        table: "idps",
        label: LABEL,
        eventType: "system.idp.lifecycle",
        shape: IDP_SHAPE,
        build: ({ name, type, protocol }) => ({ name, type, protocol }),
        toRecord: toIdp,
        fromRecord: fromIdp,
        links: (idp, url) => ({
          metadata: hasMetadata(idp) ? formatLink(`${url}/metadata.xml`, { type: "application/xml" }) : undefined,
        }),
        select: selectByType,
        assertChange,
      },
      dependencies,
    ),
    {
      path: "/idps/:id/metadata.xml",
      // public, as WebFinger gives its address to everyone
      operations: { GET: { scope: null, produces: METADATA_TYPES, handlers: [metadata] } },
    },
  ];
}

function selectByType(req: Request): RawBuilder<SqlBool>[] {
  const type = getQuery(req).get("type");
  if (type === undefined || type === "") return [];
  if (!(IDP_TYPES as readonly string[]).includes(type)) {
    throw invalid([["type", `must be one of ${IDP_TYPES.join(", ")}, not ${excerpt(type)}`]]);
  }
  return [sql`type = ${type}`];
}

async function assertChange(
  transaction: WriteTransaction,
  orgId: string,
  before: Idp | undefined,
  after: Idp | undefined,
): Promise<void> {
  if (!before) return;
  if (!after) {
    await assertIdpUnused(transaction, orgId, before.id);
  } else if (after.type !== before.type) {
    const causes = [`type: is ${before.type}; create another identity provider for ${after.type}.`];
    throw new ApiError("E0000078", { type: "attribute.immutable", detail: "type", causes });
  }
}

function withoutMetadata(id: string, type: string): ApiError {
  const cause =
    type === "SAML2"
      ? "Its protocol.credentials.trust.issuer is not given, or can be no entity id."
      : `It is of the type ${type}; only SAML2 has metadata.`;
  const detail = `Resource not found: ${id} (${LABEL} metadata)`;
  return new ApiError("E0000007", { type: "resource.unknown", detail, causes: [cause] });
}
