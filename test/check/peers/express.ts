import http, { type Server } from "node:http";
import express from "express";
import { type Item, ItemStore } from "./items.js";

/** Express 5 with `express.json()` and nothing else. */
export function createExpressServer(): Server {
  const store = new ItemStore();
  const app = express();
  app.use(express.json());
  app.get("/v1/items", (req, res) => {
    const { limit = 20, after = 0 } = req.query;
    res.json(store.list().slice(Number(after), Number(after) + Number(limit)));
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
  return http.createServer(app);
}
