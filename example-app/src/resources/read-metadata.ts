import type { RequestHandler } from "express";
import { z } from "zod";
import { MAX_LENGTH } from "../metadata/fetch-metadata.js";
import { MetadataError } from "../metadata/metadata-error.js";
import type { MetadataRefresher } from "../metadata/refresher.js";
import { apiError } from "../model/api-error.js";
import { IDP_SHAPE, SAFE_URL_SHAPE } from "../model/shapes.js";
import { departureOf } from "../pace/departure.js";
import type { Turns } from "../pace/turns.js";
import { parseBody } from "../rest/body.js";
import { json, type Resource } from "../rest/resource.js";
import { getTenant } from "../tenancy/tenant.js";

const { name, type, protocol } = IDP_SHAPE.shape;
const DESCRIBED_SHAPE = z.object({ name, type, protocol });

const EXAMPLE = {
  text: '{"issuer":"https://id.contoso.example","authorization_endpoint":"https://id.contoso.example/authorize"}',
};

const BODY_SHAPE = z
  .strictObject({
    url: SAFE_URL_SHAPE.exactOptional().describe("The address of the metadata. The server fetches it."),
    text: z.string().min(1).max(MAX_LENGTH).exactOptional().describe("The metadata itself: XML of SAML, or JSON."),
  })
  .refine(({ url, text }) => (url === undefined) !== (text === undefined), {
    path: ["url"],
    error: "is required, or text; not both",
  })
  .meta({ examples: [EXAMPLE] });

interface ReadOptions {
  metadata: Pick<MetadataRefresher, "read">;
  /** Shared with everything that asks hosts because of a request. */
  turns: Turns;
}

/** Reads metadata of a provider that is not stored yet. Nothing is stored. */
export function readMetadataResource(path: string, { metadata, turns }: Readonly<ReadOptions>): Resource {
  const read: RequestHandler = async (req, res) => {
    const { url, text = "" } = parseBody(BODY_SHAPE, req.body);
    const signal = departureOf(res);
    const source = url === undefined ? { text } : { url };
    try {
      res.json(await turns.run(getTenant(req).org.id, () => metadata.read(source, signal), signal));
    } catch (error) {
      if (!(error instanceof MetadataError)) throw error;
      const causes = [`${url === undefined ? "text" : "url"}: ${error.message}`];
      throw apiError("E0009006", { type: "metadata.unusable", causes });
    }
  };

  return {
    path,
    operations: {
      POST: {
        id: "readIdentityProviderMetadata",
        summary: "Read the metadata of an identity provider before it is created",
        scope: "idps.manage",
        isSafe: true,
        bodies: json("MetadataSource", BODY_SHAPE),
        sent: { content: { name: "DescribedIdentityProvider", shape: DESCRIBED_SHAPE } },
        handlers: [read],
      },
    },
  };
}
