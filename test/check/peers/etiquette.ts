import type { Server } from "node:http";
import type { ServerOptions } from "node:https";
import express, { type Request } from "express";
import {
  authenticate,
  compileFilterSchema,
  contentType,
  createServer,
  filter,
  getEntityTag,
  getPage,
  getPatch,
  getPrincipal,
  idempotency,
  methodNotAllowed,
  operationCors,
  pagination,
  patch,
  PATCH_TYPES,
  queryBody,
  rateLimitHeaders,
  resourceMetadata,
  selectRows,
  suite,
  tryGetFilter,
  weakEtag,
} from "etiquette";
import { type Item, ItemStore, ORIGIN } from "./items.js";

export const TOKEN = "a-token-of-the-tests";

const schema = compileFilterSchema({ attributes: { status: { type: "string" }, name: { type: "string" } } });
const TYPES = ["application/json", ...PATCH_TYPES];
const FORM = "application/x-www-form-urlencoded";
const order = [{ column: "id" }] as const;
const origin = [ORIGIN];

/** The suite on Express 5 and `createServer`, with what the routes need besides. */
export function createEtiquetteServer(tls?: ServerOptions): Server {
  const store = new ItemStore();
  const { guards, fallbacks } = suite({
    trust: "loopback",
    responseCheck: false,
    contentType: false,
    jsonBody: { consumes: TYPES },
  });
  const app = express();
  app.enable("case sensitive routing");
  app.disable("x-powered-by").disable("etag");

  app.use((_req, res, next) => {
    res.vary("Origin");
    next();
  });
  app.all("/v1/items", operationCors({ origin, operations: { GET: {}, QUERY: {} } }));
  app.all("/v1/items/:id", operationCors({ origin, operations: { GET: {}, PUT: {} } }));
  app.use(guards);
  app.use(rateLimitHeaders({ consume: () => ({ limit: 600, remaining: 599, reset: new Date(0), allowed: true }) }));
  app.use(resourceMetadata({ resource }));
  app.use(
    authenticate({
      resource,
      schemes: {
        Bearer: (token) => (token === TOKEN ? { subject: "check", scopes: [] } : undefined),
        DPoP: Object.assign(() => undefined, { proofAlgorithms: ["ES256"] }),
      },
    }),
  );
  app
    .route("/v1/items")
    .all(
      methodNotAllowed({ methods: ["GET", "QUERY"] }),
      contentType({ consumes: ["application/json", FORM] }),
      queryBody(),
      filter({ schema }),
      pagination({ secret: "a secret of thirty-two bytes or more", resource: "items", baseUrl }),
      (req, res) => {
        const page = getPage(req);
        const matches = tryGetFilter(req)?.toPredicate() ?? (() => true);
        const { after, before, fetchLimit: limit } = page;
        const rows = selectRows(store.list().filter(matches), { after, before, limit }, keysOf, order);
        res.json(page.take(rows, keysOf).map(({ id, name }) => ({ id, name })));
      },
    );
  app
    .route("/v1/items/:id")
    .all(contentType({ consumes: TYPES }), idempotency({ principal: subjectOf, methods: ["PUT", "PATCH"] }))
    .all(weakEtag({ fields: ["id", "name", "status"] }))
    .get((req, _res, next) => {
      const item = store.find(req.params.id);
      if (item) getEntityTag(req).send(item);
      else next("route");
    })
    .put((req, _res, next) => {
      const item = store.find(req.params.id);
      if (!item) {
        next("route");
        return;
      }
      const tag = getEntityTag(req);
      tag.assert(item);
      tag.send(store.save(req.params.id, (req.body ?? {}) as Partial<Item>) ?? item);
    })
    .patch(patch({ readOnly: ["/id"] }), (req, _res, next) => {
      const item = store.find(req.params.id);
      if (!item) {
        next("route");
        return;
      }
      const tag = getEntityTag(req);
      tag.assert(item);
      tag.send(store.save(req.params.id, getPatch(req).apply(item) as Item) ?? item);
    })
    .all(methodNotAllowed());
  app.use(fallbacks);
  return tls ? createServer(app, { tls }) : createServer(app);
}

function keysOf({ id }: Item): [string] {
  return [id];
}

function subjectOf(req: Request): string {
  return getPrincipal(req).subject;
}

function resource(req: Request): string {
  return `${baseUrl(req)}/v1`;
}

function baseUrl({ socket }: Request): string {
  return `${"encrypted" in socket ? "https" : "http"}://127.0.0.1:${socket.localPort ?? 0}`;
}
