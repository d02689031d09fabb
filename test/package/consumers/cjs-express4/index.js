"use strict";

const assert = require("node:assert");
const express = require("express");
const { errorFormatter, notFound, requestId } = require("etiquette");
const single = require("etiquette/request-id");

assert.strictEqual(single.requestId, requestId, "the root and the subpath are one module");
assert.strictEqual(require("express/package.json").version.split(".")[0], "4");
assert.throws(() => require("etiquette/lib/factory"), { code: "ERR_PACKAGE_PATH_NOT_EXPORTED" });

const app = express();
app.use(requestId());
app.use(notFound());
app.use(errorFormatter());

const server = app.listen(0, "127.0.0.1", async () => {
  const answer = await fetch(`http://127.0.0.1:${server.address().port}/nowhere`);
  const body = await answer.json();
  assert.strictEqual(answer.status, 404);
  assert.strictEqual(body.errorCode, "E0000008");
  assert.strictEqual(body.errorId, answer.headers.get("x-svc-request-id"));
  server.close();
  server.closeAllConnections();
  console.log("works");
});
