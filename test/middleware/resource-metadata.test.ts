import type { Express } from "express";
import request from "supertest";
import { authenticate, type AuthenticateOptions } from "../../middleware/authenticate.js";
import { errorFormatter } from "../../middleware/error-formatter.js";
import { requireScopes } from "../../middleware/require-scopes.js";
import { resourceMetadata, type ResourceMetadataOptions } from "../../middleware/resource-metadata.js";
import { EXPRESS_VERSIONS } from "../support/express.js";

const PATH = "/.well-known/oauth-protected-resource";
const RESOURCE = "https://api.example.com";
const ISSUER = "https://id.example.com/";

describe.each(EXPRESS_VERSIONS)("resourceMetadata on %s", (_version, express) => {
  function serve(options: Partial<ResourceMetadataOptions> = {}, mount = "/"): Express {
    const app = express();
    app.use(mount, resourceMetadata({ resource: RESOURCE, ...options }));
    app.use((_req, res) => res.status(404).end());
    app.use(errorFormatter({ log: () => undefined }));
    return app;
  }

  it("A5 serves the metadata of the resource to every client and every origin", async () => {
    const options: Partial<ResourceMetadataOptions> = {
      authorizationServers: [ISSUER],
      scopes: ["users.read"],
      name: "Users",
      documentation: "https://api.example.com/docs",
      members: { dpop_bound_access_tokens_required: true },
    };
    const res = await request(serve(options)).get(PATH).set("Origin", "https://app.example").expect(200);
    expect(res.body).toEqual({
      resource: RESOURCE,
      authorization_servers: [ISSUER],
      bearer_methods_supported: ["header"],
      scopes_supported: ["users.read"],
      resource_name: "Users",
      resource_documentation: "https://api.example.com/docs",
      dpop_bound_access_tokens_required: true,
    });
    expect(res.headers).toMatchObject({
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(res.text)),
      "cache-control": "max-age=3600",
      "access-control-allow-origin": "*",
      "x-content-type-options": "nosniff",
    });
  });

  it("has no servers where there are none", async () => {
    const res = await request(serve()).get(PATH).expect(200);
    expect(res.body).toEqual({ resource: RESOURCE, bearer_methods_supported: ["header"] });
  });

  it("A5 serves a resource with a path behind the well-known path, wherever it is mounted", async () => {
    const app = serve({ resource: `${RESOURCE}/v1/users` });
    await request(app)
      .get(`${PATH}/v1/users?x=1`)
      .expect(200, /v1\/users/);
    for (const path of [
      PATH,
      `${PATH}/`,
      `${PATH}/v1`,
      `${PATH}/v1/users/`,
      `${PATH}/V1/users`,
      `${PATH}x`,
      "/v1/users",
    ])
      await request(app).get(path).expect(404);
    await request(serve({ resource: `${RESOURCE}/v1` }, `${PATH}/v1`))
      .get(`${PATH}/v1`)
      .expect(200);
    await request(serve({}, "/.well-known")).get(PATH).expect(200);
  });

  it("takes the resource and its servers from the request", async () => {
    const app = serve({
      resource: (req) => `https://${req.get("X-Org")}.example.com/api`,
      authorizationServers: (req) => Promise.resolve([`https://id.example.com/${req.get("X-Org")}`]),
    });
    const res = await request(app).get(`${PATH}/api`).set("X-Org", "acme").expect(200);
    expect(res.body).toMatchObject({
      resource: "https://acme.example.com/api",
      authorization_servers: ["https://id.example.com/acme"],
    });
  });

  it("answers HEAD without a body, preflights, and 405 to other methods", async () => {
    const head = await request(serve()).head(PATH).expect(200);
    expect(head.text).toBeUndefined();
    expect(Number(head.headers["content-length"])).toBeGreaterThan(0);
    const preflight = await request(serve()).options(PATH).expect(204);
    expect(preflight.headers).toMatchObject({
      allow: "GET, HEAD, OPTIONS",
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, HEAD",
    });
    const refused = await request(serve()).post(PATH).expect(405);
    expect(refused.headers["allow"]).toBe("GET, HEAD, OPTIONS");
  });

  it.each([
    [{ resource: () => "x" }],
    [{ authorizationServers: () => ["http://id.example.com"] }],
    [{ authorizationServers: () => Promise.reject(new Error("down")) }],
  ])("is 500 when a function returns nothing of use: %#", async (options) => {
    await request(serve(options as Partial<ResourceMetadataOptions>))
      .get(PATH)
      .expect(500);
  });

  it("A5 the challenges of Bearer and DPoP name the metadata", async () => {
    const answer = async (options: Partial<AuthenticateOptions>, scheme: string) => {
      const app = express();
      const verify = () => undefined;
      app.use(authenticate({ schemes: { Bearer: verify, DPoP: verify, SVC: verify }, ...options }));
      app.use(errorFormatter({ log: () => undefined }));
      const { headers } = await request(app).get("/").set("Authorization", scheme);
      return headers["www-authenticate"];
    };
    const url = `${RESOURCE}${PATH}`;
    expect(await answer({ resource: RESOURCE }, "DPoP x")).toBe(
      `Bearer realm="api", resource_metadata="${url}", DPoP realm="api", error="invalid_token", resource_metadata="${url}", SVC realm="api"`,
    );
    expect(await answer({ resource: () => `${RESOURCE}/v1` }, "")).toContain(
      `Bearer realm="api", resource_metadata="${url}/v1"`,
    );
    expect(await answer({}, "SVC x")).not.toContain("resource_metadata");
    expect(await answer({ resource: () => "no URL" }, "SVC x")).toBeUndefined(); // 500
  });

  it("A5 a missing scope names the metadata too", async () => {
    const app = express();
    const principal = { subject: "joe", scopes: ["a"] };
    app.get("/all", authenticate({ schemes: { Bearer: () => principal }, scopes: ["b"], resource: RESOURCE }));
    app.get("/one", requireScopes({ scopes: ["b"], getPrincipal: () => principal, resource: RESOURCE }));
    app.get("/none", requireScopes({ scopes: ["b"], getPrincipal: () => undefined, resource: RESOURCE }));
    app.use(errorFormatter({ log: () => undefined }));
    const url = `resource_metadata="${RESOURCE}${PATH}"`;
    for (const [path, status] of [
      ["/all", 403],
      ["/one", 403],
      ["/none", 401],
    ] as const) {
      const { headers } = await request(app).get(path).set("Authorization", "Bearer x").expect(status);
      expect(headers["www-authenticate"]).toMatch(new RegExp(`^Bearer realm="api", .*scope="b", ${url}$`));
    }
  });
});

describe("the options of resourceMetadata", () => {
  it.each([
    [{}, "`resource` must be an absolute https URL"],
    [{ resource: "https://api.example.com/" }, "`resource` must be an absolute https URL"],
    [{ resource: "http://api.example.com" }, "`resource` must be an absolute https URL"],
    [
      { resource: RESOURCE, authorizationServers: ["id.example.com"] },
      "`authorizationServers` must be an array of https URLs",
    ],
    [{ resource: RESOURCE, authorizationServers: ISSUER }, "`authorizationServers` must be an array of https URLs"],
    [{ resource: RESOURCE, scopes: ["a b"] }, "`scopes` must be an array of scopes"],
    [{ resource: RESOURCE, name: "" }, "`name` must be a non-empty string"],
    [{ resource: RESOURCE, documentation: 1 }, "`documentation` must be a non-empty string"],
    [
      { resource: RESOURCE, members: { resource: "x" } },
      "`members` must be an object of members that no other option has",
    ],
    [{ resource: RESOURCE, members: [] }, "`members` must be an object"],
    [{ resource: RESOURCE, cacheControl: "a\nb" }, "`cacheControl` must be a header field value"],
  ])("refuses %j", (options: object, message: string) => {
    expect(() => resourceMetadata(options as ResourceMetadataOptions)).toThrow(
      new RegExp(`^resourceMetadata: option ${message}`),
    );
  });
});
