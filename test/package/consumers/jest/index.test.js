const express = require("express");
const request = require("supertest");
const { errorFormatter, notFound } = require("etiquette");
const { getRequestId, requestId } = require("etiquette/request-id");

test("etiquette runs in a plain jest", async () => {
  const app = express();
  app.use(requestId());
  app.get("/id", (req, res) => {
    res.json({ id: getRequestId(req) });
  });
  app.use(notFound());
  app.use(errorFormatter());
  const answer = await request(app).get("/id");
  expect(answer.body.id).toBe(answer.headers["x-svc-request-id"]);
});
