import { OutgoingMessage } from "node:http";
import type { Application } from "express";
import { isExpressApp } from "../../../lib/express/index.js";
import type { Layer } from "../../../lib/express/layer.js";
import { isOriginal } from "../../../lib/express/originals.js";
import { EXPRESS_VERSIONS } from "../../support/express.js";

/** Fails with the name of what a new version of Express or Node has changed. lib/express is the one place that must follow. */
describe.each(EXPRESS_VERSIONS)("what lib/express uses of %s", (title, express) => {
  const app = express();
  app.use("/things", express.Router());
  app.get("/users/:id", () => undefined);
  const isOld = title === "Express 4";
  const holder = app as unknown as { _router?: Holder; router: Holder };
  const { stack } = (isOld ? holder._router : holder.router)!;
  const [router, route] = stack.slice(-2) as [Layer, Layer];

  it.each([
    ["app.handle, app.request and app.response", () => isExpressApp(app)],
    ["res.set", () => isOriginal("set", Reflect.get(express.response, "set"))],
    ["res.header, which is res.set", () => express.response.header === express.response.set],
    ["res.send", () => isOriginal("send", express.response.send)],
    ["the setting `etag fn`", () => isOriginal("etag", (app as Application).get("etag fn"))],
    ["layer.match", () => isOriginal("match", (Object.getPrototypeOf(route) as Layer).match)],
    ["layer.handle of a router, with its stack", () => Array.isArray(router.handle.stack)],
    ["layer.name", () => router.name === "router"],
    ["layer.route.path", () => route.route?.path === "/users/:id"],
    ["layer.route.methods", () => route.route?.methods["get"] === true],
    ["layer.route.stack, with the method", () => route.route?.stack[0]?.method === "get"],
    ["what layer.match tells of the path", () => matchedPath(router, "/things/1") === "/things"],
    ["the path of a layer", () => (isOld ? route.regexp instanceof RegExp : route.rawPath === "/users/:id")],
    ["the matcher of a layer", () => isOld || route.matchers?.length === 1],
  ])("%s is as it was", (_, isSo) => {
    expect(isSo()).toBe(true);
  });
});

it("`setHeader` of Node is as it was", () => {
  expect(isOriginal("setHeader", Reflect.get(OutgoingMessage.prototype, "setHeader"))).toBe(true);
});

interface Holder {
  readonly stack: readonly Layer[];
}

/** Before router 2.3 the layer itself has it. */
function matchedPath(layer: Layer, path: string): string | undefined {
  const found = layer.match(path);
  return typeof found === "object" ? found.path : layer.path;
}
