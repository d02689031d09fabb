import http, { type Server } from "node:http";
import cors from "cors";
import express, { type ErrorRequestHandler, type RequestHandler } from "express";
import { applyPatch, type Operation } from "fast-json-patch";
import helmet from "helmet";
import createError from "http-errors";
import LinkHeader from "http-link-header";
import { nanoid } from "nanoid";
import Negotiator from "negotiator";
import proxyAddr from "proxy-addr";
import { filter as compileFilter, parse } from "scim2-parse-filter";
import typeis from "type-is";
import { type Item, ItemStore } from "./items.js";

const isTrusted = proxyAddr.compile("loopback");

const requestId: RequestHandler = (req, res, next) => {
  const given = req.headers["x-request-id"];
  res.setHeader("X-Request-Id", typeof given === "string" ? given : nanoid());
  next();
};

const context: RequestHandler = (req, res, next) => {
  res.locals["ip"] = proxyAddr(req, isTrusted);
  next();
};

const httpsOnly: RequestHandler = (req, _res, next) => {
  next(req.secure ? undefined : createError(403, "HTTPS is required"));
};

const contentType: RequestHandler = (req, _res, next) => {
  if (typeis.hasBody(req) && typeis(req, ["json", "+json"]) === false) next(createError(415));
  else if (new Negotiator(req).mediaType(["application/json"]) === undefined) next(createError(406));
  else next();
};

const formatError: ErrorRequestHandler = (error: Error & { status?: number }, _req, res, _next) => {
  res.status(error.status ?? 500).json({ error: { status: error.status ?? 500, message: error.message } });
};

/** Ten packages on Express 5, put together as their pages show it. Express itself brings body-parser, etag and fresh. */
export function createPackagesServer(): Server {
  const store = new ItemStore();
  const app = express();
  app.set("trust proxy", "loopback");
  const exposedHeaders = ["Link", "ETag", "X-Request-Id"];
  app.use(requestId, helmet(), cors({ origin: /app\.example\.com$/, credentials: true, exposedHeaders }));
  app.use(context, httpsOnly, contentType, express.json());
  app.get("/v1/items", (req, res) => {
    const { limit = "20", after = "", filter } = req.query as Partial<Record<string, string>>;
    const start = Number(Buffer.from(after, "base64url").toString());
    const matches = typeof filter === "string" ? compileFilter(parse(filter)) : () => true;
    const end = start + Number(limit);
    const items = store.list().filter(matches);
    const link = new LinkHeader();
    link.set({ uri: `${req.protocol}://${req.host}${req.originalUrl}`, rel: "self" });
    if (end < items.length) {
      const cursor = Buffer.from(String(end)).toString("base64url");
      link.set({ uri: `${req.protocol}://${req.host}/v1/items?limit=${limit}&after=${cursor}`, rel: "next" });
    }
    res.setHeader("Link", link.toString());
    res.json(items.slice(start, end));
  });
  app.get("/v1/items/:id", (req, res, next) => {
    const item = store.find(req.params.id);
    if (item) res.json(item);
    else next();
  });
  app.put("/v1/items/:id", (req, res, next) => {
    const item = store.save(req.params.id, (req.body ?? {}) as Partial<Item>);
    if (item) res.json(item);
    else next();
  });
  app.patch("/v1/items/:id", express.json({ type: "application/json-patch+json" }), (req, res, next) => {
    const item = store.find(req.params.id);
    if (!item || !typeis(req, ["application/json-patch+json"])) {
      next(item && createError(415));
      return;
    }
    applyPatch(item, req.body as Operation[], true);
    res.json(store.save(req.params.id, item));
  });
  app.use((_req, _res, next) => {
    next(createError(404));
  });
  app.use(formatError);
  return http.createServer(app);
}
