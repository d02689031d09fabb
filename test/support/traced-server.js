"use strict";

/**
 * traced-server.js plain|fast: serves an app that OpenTelemetry instruments, on a server of `node:http` or of createServer,
 * sends it some requests, and prints the spans, without what differs from run to run.
 */
const { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } = require("@opentelemetry/sdk-trace-node");
const { ExpressInstrumentation } = require("@opentelemetry/instrumentation-express");
const { HttpInstrumentation } = require("@opentelemetry/instrumentation-http");

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
provider.register();
const headersToSpanAttributes = { server: { responseHeaders: ["x-svc-request-id"] } };
for (const instrumentation of [new HttpInstrumentation({ headersToSpanAttributes }), new ExpressInstrumentation()]) {
  instrumentation.setTracerProvider(provider);
  instrumentation.enable();
}

const http = require("node:http");
const express = require("express");
const { createServer } = require("etiquette/create-server");
const { requestId } = require("etiquette/request-id");

const REQUESTS = [
  ["GET", "/"],
  ["GET", "/users/7"],
  ["HEAD", "/users/7"],
  ["GET", "/api/items"],
  ["GET", "/api/items/3"],
  ["GET", "/child/here"],
  ["POST", "/users"],
  ["GET", "/error"],
  ["GET", "/none"],
];

function createApp() {
  const app = express();
  app.use(requestId());
  app.use(function first(_req, res, next) {
    res.setHeader("X-First", "1");
    next();
  });
  app.get("/", (_req, res) => res.json({ hello: "world" }));
  app.get("/users/:id", (req, res) => res.type("json").send(JSON.stringify(req.params)));
  app.post("/users", (_req, res) => res.status(201).json({}));
  app.get("/error", () => {
    throw new Error("expected");
  });
  const router = express.Router();
  router.get("/items", (_req, res) => res.send("items"));
  router.get("/items/:item", (_req, res) => res.sendStatus(204));
  app.use("/api", router);
  const child = express();
  child.get("/here", (_req, res) => res.json([]));
  app.use("/child", child);
  // eslint-disable-next-line no-unused-vars -- Express tells an error handler by its four parameters
  app.use((error, _req, res, _next) => res.status(500).json({ message: error.message }));
  return app;
}

/** The attribute of {@link headersToSpanAttributes}. */
const ID_ATTRIBUTE = "http.response.header.x-svc-request-id";

/** Who makes a span, its name, kind, status and attributes, and where it hangs. An id is the number of its request. */
function describe(span, spans, ids) {
  const { name, kind, attributes, status, events, instrumentationScope, parentSpanContext } = span;
  const parent = spans.find((other) => other.spanContext().spanId === parentSpanContext?.spanId);
  const id = attributes[ID_ATTRIBUTE];
  const isStable = ([key]) => !/port|url.full/.test(key);
  return {
    name,
    kind,
    status,
    scope: instrumentationScope.name,
    attributes: {
      ...Object.fromEntries(Object.entries(attributes).filter(isStable)),
      ...(id !== undefined && { [ID_ATTRIBUTE]: id.map((text) => ids.indexOf(text)) }),
    },
    events: events.map((event) => event.name),
    parent: parent?.name,
  };
}

async function main() {
  const app = createApp();
  const server = process.argv[2] === "plain" ? http.createServer(app) : createServer(app);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  const ids = [];
  for (const [method, path] of REQUESTS) {
    await new Promise((resolve, reject) => {
      const request = http.request({ port, host: "127.0.0.1", method, path, agent: false }, (response) => {
        ids.push(response.headers["x-svc-request-id"]);
        response.resume().on("close", resolve);
      });
      request.on("error", reject).end();
    });
  }
  server.close();
  await provider.forceFlush();
  const spans = exporter.getFinishedSpans();
  const isFast = Object.getOwnPropertyNames(Object.getPrototypeOf(app.response)).includes("setHeader");
  console.log(JSON.stringify({ isFast, spans: spans.map((span) => describe(span, spans, ids)) }));
}

void main();
