/** @jest-environment node */
import type { Express } from "express";
import request from "supertest";
import type { jsonBody, JsonBodyOptions } from "etiquette/json-body";
import { EXPRESS_VERSIONS } from "../support/express.js";

/** A process has the warning once, so each test has modules of its own. */

const BODY = '{"list":[1,9007199254740993]}';

describe.each(EXPRESS_VERSIONS)("the warning of jsonBody on %s", (_version, express) => {
  let warn: jest.SpyInstance;
  let createBody: typeof jsonBody;
  const { NODE_ENV } = process.env;

  beforeEach(async () => {
    jest.resetModules();
    process.env["NODE_ENV"] = "development";
    jest.spyOn(console, "error").mockImplementation(() => undefined);
    warn = jest.spyOn(console, "warn").mockImplementation(() => undefined);
    ({ jsonBody: createBody } = await import("../../middleware/json-body.js"));
  });

  afterEach(() => {
    process.env["NODE_ENV"] = NODE_ENV;
    jest.restoreAllMocks();
  });

  function createApp(options: JsonBodyOptions = {}): Express {
    const app = express();
    app.use(createBody(options));
    app.use(
      "/orgs/:org",
      express.Router().post("/users/:id", (_req, res) => void res.end()),
    );
    app.use((_req, res) => void res.status(404).end());
    return app;
  }

  const post = (app: Express, path: string, body = BODY) => request(app).post(path).type("json").send(body);
  const lines = () => warn.mock.calls.flat() as string[];

  it("names the route, the place and the option, once", async () => {
    const app = createApp();
    await post(app, "/orgs/1/users/2", '["9007199254740993",9007199254740991]');
    expect(lines()).toEqual([]);
    await post(app, "/orgs/1/users/2?a=1");
    await post(createApp(), "/orgs/1/users/2");
    expect(lines()).toEqual([
      'jsonBody: POST /orgs/:org/users/:id got an integer that a number can\'t hold, at /list/1; it was rounded. Take it as it is with jsonBody({ bigint: "string" }), or refuse it with "refuse".',
    ]);
  });

  it("names the path where there is no route", async () => {
    await post(createApp({ report: true }), "/a%0Ab");
    expect(lines()).toEqual([expect.stringContaining('jsonBody: POST "/a%0Ab" got an integer')]);
  });

  it.each(["string", "bigint", "refuse"] as const)("is not told with bigint: %j", async (bigint) => {
    await post(createApp({ bigint }), "/orgs/1/users/2");
    expect(lines()).toEqual([]);
  });

  it("is not told in production", async () => {
    process.env["NODE_ENV"] = "production";
    await post(createApp(), "/orgs/1/users/2");
    expect(lines()).toEqual([]);
  });
});
