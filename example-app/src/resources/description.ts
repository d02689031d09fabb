import { createHash } from "node:crypto";
import type { RequestHandler } from "express";
import { getEntityTag, weakEtag } from "etiquette/weak-etag";
import { z } from "zod";
import type { Steps } from "../pace/steps.js";
import { describeApi, type DescribedApi, type Description } from "../rest/openapi/document.js";
import type { Operation, Resource } from "../rest/resource.js";
import { JRD_SHAPE, WEBFINGER_PARAMETERS } from "../rest/webfinger-shapes.js";
import { runInSlices } from "../pace/slices.js";

/** How long caches may keep a description without asking, in seconds. It changes only with the version of the server. */
const MAX_AGE = 3_600;

export const DESCRIPTION_PATH = "/openapi.json";

/** WebFinger, which `webfinger` of app.ts serves. */
const WEBFINGER: Operation = {
  id: "webfinger",
  summary: "Find the identity providers of a login",
  scope: null,
  produces: ["application/jrd+json", "application/json"],
  query: [{ parameters: WEBFINGER_PARAMETERS }],
  sent: { content: { name: "Jrd", shape: JRD_SHAPE } },
  handlers: [],
};

type Described = Omit<DescribedApi, "others">;

interface TaggedDescription {
  readonly description: Description;
  readonly tag: string;
}

/**
 * The description of a version in OpenAPI. It is public: it is the same for all orgs, and tells nothing but what the
 * documentation tells.
 */
export function descriptionResource(api: Described): Resource {
  let cached: Promise<TaggedDescription> | undefined; // few processes are ever asked

  const create = async (): Promise<TaggedDescription> => {
    const steps = describeVersion({ ...api, resources: [...api.resources, resource] });
    return withTag((await runInSlices(steps)).value);
  };
  const send: RequestHandler = async (req, res) => {
    const found = await (cached ??= create());
    res.setHeader("Cache-Control", `public, max-age=${MAX_AGE}`);
    getEntityTag(req).send(found, found.description);
  };
  const resource: Resource = {
    path: DESCRIPTION_PATH,
    operations: {
      GET: {
        id: "getDescription",
        summary: "Get this description",
        scope: null,
        cors: true,
        sent: { content: { name: "Description", shape: z.looseObject({ openapi: z.string() }) }, isTagged: true },
        handlers: [weakEtag({ revision: "tag", strength: "strong" }), send],
      },
    },
  };
  return resource;
}

/** The description of the version whose resources these are, its own among them. */
export function describeVersion(api: Described): Steps<Description> {
  return describeApi({ ...api, others: api.version === "v1" ? { "/.well-known/webfinger": WEBFINGER } : {} });
}

function withTag(description: Description): TaggedDescription {
  const tag = createHash("sha256").update(JSON.stringify(description)).digest("base64url").slice(0, 22);
  return { description, tag };
}
