import assert from "node:assert";
import { createRequire } from "node:module";
import express from "express";
import { errorFormatter, getRequestId, notFound, requestId } from "etiquette";
import { requestId as single } from "etiquette/request-id";

const require = createRequire(import.meta.url);
assert.strictEqual(single, requestId, "the root and the subpath are one module");
assert.strictEqual(require("etiquette").requestId, requestId, "import and require give one module");
assert.strictEqual(require("express/package.json").version.split(".")[0], "5");

const app = express();
app.use(requestId());
app.get("/id", (req, res) => {
  res.json({ id: getRequestId(req) });
});
app.use(notFound());
app.use(errorFormatter());

const server = app.listen(0, "127.0.0.1", async () => {
  const answer = await fetch(`http://127.0.0.1:${server.address().port}/id`);
  const body = await answer.json();
  assert.strictEqual(body.id, answer.headers.get("x-svc-request-id"));
  server.close();
  server.closeAllConnections();
  console.log("works");
});
