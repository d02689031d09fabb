import type { Request } from "express";
import request from "supertest";
import {
  apiTokenVerifier,
  createApiToken,
  hashApiToken,
  type ApiTokenRecord,
} from "../../../lib/auth/api-token-verifier.js";
import { authenticate, getPrincipal } from "../../../middleware/authenticate.js";
import { errorFormatter } from "../../../middleware/error-formatter.js";
import { EXPRESS_VERSIONS } from "../../support/express.js";

describe.each(EXPRESS_VERSIONS)("apiTokenVerifier on %s", (_version, express) => {
  const { token, hash } = createApiToken();
  const record: ApiTokenRecord = { hash, subject: "bot", scopes: ["users.read"] };
  const reported: unknown[] = [];

  beforeEach(() => {
    reported.length = 0;
  });

  function createApp(find: (hash: string, req: Request) => unknown, now?: () => number) {
    const app = express();
    app.use(authenticate({ schemes: { SVC: apiTokenVerifier({ find: find as never, ...(now && { now }) }) } }));
    app.get("/", (req, res) => res.json(getPrincipal(req)));
    app.use(errorFormatter({ log: (error) => reported.push(error) }));
    return app;
  }

  function get(find: (hash: string, req: Request) => unknown, sent = token) {
    return request(createApp(find)).get("/").set("Authorization", `SVC ${sent}`);
  }

  it("A1 finds the principal of a token by its hash", async () => {
    const asked: string[] = [];
    const find = (wanted: string) => {
      asked.push(wanted);
      return Promise.resolve(record);
    };
    await get(find).expect(200, { subject: "bot", scopes: ["users.read"] });
    expect(asked).toEqual([hash]);
  });

  it("A2 shows handlers claims, but nothing else of the record", async () => {
    const find = () => ({ ...record, claims: { team: "ops" }, expiresAt: null, revoked: false, note: "x" });
    await get(find).expect(200, { subject: "bot", scopes: ["users.read"], claims: { team: "ops" } });
  });

  it("A2 refuses a token that is unknown", async () => {
    await get(() => undefined).expect(401);
    await get(() => null).expect(401);
  });

  it("A2 refuses a record with another hash, whatever the store thinks of it", async () => {
    for (const other of [hashApiToken("x"), hash.toUpperCase(), hash.slice(0, 63), "", undefined, 7, null]) {
      const res = await get(() => ({ ...record, hash: other }));
      expect(res.status).toBe(401);
    }
  });

  it("A2 refuses the hash in place of the token", async () => {
    await get((wanted) => (wanted === hash ? record : undefined), hash).expect(401);
  });

  it("A2 opens nothing in another org", async () => {
    const tokensOf: Record<string, ApiTokenRecord[]> = { "acme.test": [record], "other.test": [] };
    const app = createApp((wanted, req) => tokensOf[req.hostname]?.find((candidate) => candidate.hash === wanted));
    await request(app).get("/").set("Host", "acme.test").set("Authorization", `SVC ${token}`).expect(200);
    await request(app).get("/").set("Host", "other.test").set("Authorization", `SVC ${token}`).expect(401);
  });

  it.each([
    [undefined, 200],
    [null, 200],
    [new Date(8_640_000_000_000_000), 200],
    [new Date(Date.now() - 1), 401],
    [new Date(0), 401],
    [new Date(NaN), 401],
    ["2100-01-01T00:00:00.000Z", 503],
    [4_102_444_800_000, 503],
  ])("A2 answers a token that expires at %p with %i", async (expiresAt, status) => {
    await get(() => ({ ...record, expiresAt })).expect(status);
  });

  it("A2 refuses a token from its very end on", async () => {
    const end = new Date("2000-01-01T00:00:00.000Z");
    let now = end.getTime() - 1;
    const app = createApp(
      () => ({ ...record, expiresAt: end }),
      () => now,
    );
    await request(app).get("/").set("Authorization", `SVC ${token}`).expect(200);
    now = end.getTime();
    await request(app).get("/").set("Authorization", `SVC ${token}`).expect(401);
  });

  it.each([
    [undefined, 200],
    [null, 200],
    [false, 200],
    [0, 200],
    [true, 401],
    [1, 401],
    [new Date(), 401],
    ["false", 401],
  ])("A2 answers a token with `revoked` %p with %i", async (revoked, status) => {
    await get(() => ({ ...record, revoked })).expect(status);
  });

  it("A2 tells unknown, expired and revoked tokens not apart", async () => {
    const answers = await Promise.all(
      [undefined, { ...record, expiresAt: new Date(0) }, { ...record, revoked: true }].map((found) => get(() => found)),
    );
    const seen = answers.map(({ status, headers, body }) => {
      return JSON.stringify([status, headers["www-authenticate"], { ...body, errorId: "" }]);
    });
    expect(new Set(seen).size).toBe(1);
  });

  it("A2 answers 503 when the store can't be asked", async () => {
    await get(() => Promise.reject(new Error("down"))).expect(503);
  });

  it("answers 500 to a record that makes no principal", async () => {
    await get(() => ({ ...record, subject: "" })).expect(500);
    await get(() => ({ ...record, scopes: "users.read" })).expect(500);
  });
});

describe("createApiToken", () => {
  it("A2 makes 160 bits that `Authorization` can hold, and the hash to store", () => {
    const { token, hash } = createApiToken();
    expect(token).toMatch(/^etq_[0-9A-Za-z]{33}$/);
    expect(hash).toBe(hashApiToken(token));
    expect(createApiToken().token).not.toBe(token);
  });
});

describe("the options of apiTokenVerifier", () => {
  it.each([[{}], [{ find: undefined }], [{ find: new Map() }]])("refuses %p", (options) => {
    expect(() => apiTokenVerifier(options as never)).toThrow("apiTokenVerifier: option `find` must be a function");
  });

  it("returns a function with a name", () => {
    expect(apiTokenVerifier({ find: () => undefined }).name).toBe("verifyApiToken");
  });
});
