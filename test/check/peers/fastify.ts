import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import accepts from "@fastify/accepts";
import cors from "@fastify/cors";
import etag from "@fastify/etag";
import helmet from "@fastify/helmet";
import { fastify, type FastifyInstance } from "fastify";
import createError from "http-errors";
import { type Item, ItemStore, ORIGIN } from "./items.js";

const QUERY = {
  type: "object",
  properties: { limit: { type: "integer", minimum: 1, maximum: 200 }, after: { type: "integer" } },
};

/** Fastify alone. */
export async function createFastifyServer(): Promise<Server> {
  const app = fastify();
  addRoutes(app, {});
  await app.ready();
  return app.server;
}

/** Fastify with its plugins and a schema of the query, as its pages show it. */
export async function createFastifyServerWithPlugins(): Promise<Server> {
  const app = fastify({ genReqId: () => randomUUID() });
  await app.register(helmet);
  await app.register(cors, { origin: [ORIGIN], exposedHeaders: ["Link", "ETag", "X-Request-Id"] });
  await app.register(etag, { weak: true });
  await app.register(accepts);
  app.addHook("onRequest", (req, reply, done) => {
    void reply.header("X-Request-Id", req.id);
    done(req.type(["application/json"]) ? undefined : createError(406));
  });
  addRoutes(app, { schema: { querystring: QUERY } });
  await app.ready();
  return app.server;
}

function addRoutes(app: FastifyInstance, options: object): void {
  const store = new ItemStore();
  app.get<{ Querystring: { limit?: string; after?: string } }>("/v1/items", options, (req) => {
    const { limit = "20", after = "0" } = req.query;
    return store.list().slice(Number(after), Number(after) + Number(limit));
  });
  app.get<{ Params: { id: string } }>("/v1/items/:id", (req, reply) => {
    const item = store.find(req.params.id);
    if (item) void reply.send(item);
    else reply.callNotFound();
  });
  app.put<{ Params: { id: string }; Body: Partial<Item> | null }>("/v1/items/:id", (req, reply) => {
    const item = store.save(req.params.id, req.body ?? {});
    if (item) void reply.send(item);
    else reply.callNotFound();
  });
}
