import { createHash, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { Express } from "express";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from "jose";
import * as oauth from "oauth4webapi";
import request from "supertest";
import type { DpopOptions } from "../../../lib/auth/dpop-options.js";
import { memoryDpopReplays } from "../../../lib/auth/dpop-replays.js";
import { jwtVerifier, type JsonWebKeySet } from "../../../lib/auth/jwt-verifier.js";
import { authenticate, getPrincipal } from "../../../middleware/authenticate.js";
import { errorFormatter } from "../../../middleware/error-formatter.js";
import { EXPRESS_VERSIONS } from "../../support/express.js";
import { listen } from "../../support/raw-socket.js";

const ISSUER = "https://acme.example.com";
const BASE_URL = "https://api.example.com";
const SECRET = "s".repeat(32);

interface Pair {
  publicKey: CryptoKey;
  privateKey: CryptoKey;
  jwk: JWK;
}

async function createPair(alg = "ES256"): Promise<Pair> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { publicKey, privateKey, jwk: await exportJWK(publicKey) };
}

const hashOf = (text: string) => createHash("sha256").update(text).digest("base64url");

describe.each(EXPRESS_VERSIONS)("jwtVerifier({ dpop }) on %s", (_version, express) => {
  let issuer: Pair;
  let client: Pair;
  let other: Pair;
  let keys: JsonWebKeySet;
  let time: number;

  beforeAll(async () => {
    [issuer, client, other] = await Promise.all([createPair(), createPair(), createPair()]);
    keys = { keys: [issuer.jwk] };
  });
  beforeEach(() => {
    time = Date.now();
  });

  function serve(dpop: Partial<DpopOptions> = {}, baseUrl = BASE_URL): Express {
    const verifier = { issuer: ISSUER, audience: "api", keys, now: () => time };
    const app = express();
    const DPoP = jwtVerifier({ ...verifier, dpop: { baseUrl, ...dpop } });
    app.use("/v1", authenticate({ schemes: { DPoP, Bearer: jwtVerifier(verifier) } }));
    app.all(/.*/, (req, res) => res.json(getPrincipal(req).subject));
    app.use(errorFormatter({ log: false }));
    return app;
  }

  const now = () => Math.floor(time / 1_000);

  async function tokenFor(cnf?: unknown): Promise<string> {
    const jkt = await calculateJwkThumbprint(client.jwk);
    const bound = cnf === undefined ? { jkt } : cnf;
    return new SignJWT({
      iss: ISSUER,
      aud: "api",
      sub: "joe",
      exp: now() + 600,
      ...(cnf === NONE ? {} : { cnf: bound }),
    })
      .setProtectedHeader({ alg: "ES256", typ: "at+jwt" })
      .sign(issuer.privateKey);
  }
  const NONE = {};

  function proofFor(token: string, claims: object = {}, header: object = {}, pair = client): Promise<string> {
    return new SignJWT({
      jti: randomUUID(),
      htm: "GET",
      htu: `${BASE_URL}/v1/users`,
      iat: now(),
      ath: hashOf(token),
      ...claims,
    })
      .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk: pair.jwk, ...header })
      .sign(pair.privateKey);
  }

  const send = (app: Express, token: string, proof: string | string[], scheme = "DPoP") =>
    request(app)
      .get("/v1/users?a=1")
      .set({ Authorization: `${scheme} ${token}`, DPoP: proof });

  it("A6 takes a bound token with a proof, once", async () => {
    const app = serve();
    const token = await tokenFor();
    const proof = await proofFor(token);
    expect((await send(app, token, proof).expect(200)).body).toBe("joe");
    const again = await send(app, token, proof).expect(401);
    expect(again.headers["www-authenticate"]).toBe(
      'DPoP realm="api", error="invalid_dpop_proof", algs="ES256 EdDSA Ed25519 PS256 RS256", Bearer realm="api"',
    );
    expect(again.text).toMatch(/used before/);
    await send(app, token, await proofFor(token)).expect(200);
  });

  it("A6 of two requests with one proof at once, one passes", async () => {
    const app = serve();
    const token = await tokenFor();
    const proof = await proofFor(token);
    const answers = await Promise.all([send(app, token, proof), send(app, token, proof)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  });

  it("A6 refuses a bound token without its scheme, and an unbound one with it", async () => {
    const app = serve();
    const token = await tokenFor();
    await send(app, token, await proofFor(token), "Bearer").expect(401);
    const unbound = await tokenFor(NONE);
    await send(app, unbound, await proofFor(unbound)).expect(401);
    await send(app, unbound, [], "Bearer").expect(200);
    for (const cnf of [
      { "x5t#S256": "a" },
      { jkt: await calculateJwkThumbprint(client.jwk), "x5t#S256": "a" },
      { jkt: 7 },
      "jkt",
      null,
    ]) {
      const strange = await tokenFor(cnf);
      await send(app, strange, await proofFor(strange)).expect(401);
    }
  });

  it.each<[string, (token: string) => Promise<string | string[]>]>([
    ["no proof", () => Promise.resolve([])],
    ["two proofs", async (token) => [await proofFor(token), await proofFor(token)]],
    ["a proof that is no JWT", () => Promise.resolve("a.b.c")],
    ["another method", (token) => proofFor(token, { htm: "POST" })],
    ["a method in another case", (token) => proofFor(token, { htm: "get" })],
    ["another path", (token) => proofFor(token, { htu: `${BASE_URL}/v1/users/1` })],
    ["another host", (token) => proofFor(token, { htu: "https://evil.example.com/v1/users" })],
    ["another scheme", (token) => proofFor(token, { htu: "http://api.example.com/v1/users" })],
    ["no URL", (token) => proofFor(token, { htu: "/v1/users" })],
    ["a user in the URL", (token) => proofFor(token, { htu: "https://a@api.example.com/v1/users" })],
    ["no ath", (token) => proofFor(token, { ath: undefined })],
    ["the ath of another token", (token) => proofFor(token, { ath: hashOf("x") })],
    ["no jti", (token) => proofFor(token, { jti: undefined })],
    ["an empty jti", (token) => proofFor(token, { jti: "" })],
    ["a jti of 257 characters", (token) => proofFor(token, { jti: "j".repeat(257) })],
    ["no iat", (token) => proofFor(token, { iat: undefined })],
    ["an iat that is too old", (token) => proofFor(token, { iat: now() - 91 })],
    ["an iat that is too new", (token) => proofFor(token, { iat: now() + 31 })],
    ["another type", (token) => proofFor(token, {}, { typ: "jwt" })],
    ["the key of another client", (token) => proofFor(token, {}, {}, other)],
    ["a key that did not sign", (token) => proofFor(token, {}, { jwk: other.jwk })],
    ["no key", (token) => proofFor(token, {}, { jwk: undefined })],
    ["a private key", async (token) => proofFor(token, {}, { jwk: await exportJWK(client.privateKey) })],
    ["a symmetric key", (token) => proofFor(token, {}, { jwk: { kty: "oct", k: "AAAA" } })],
    ["a long proof", (token) => proofFor(token, { more: "m".repeat(4_000) })],
  ])("A6 refuses %s", async (_what, proof) => {
    const token = await tokenFor();
    const res = await send(serve(), token, await proof(token)).expect(401);
    expect(res.headers["www-authenticate"]).toMatch(/^DPoP realm="api", error="invalid_dpop_proof"/);
  });

  it.each<[string, object]>([
    ["a jti of 256 characters", { jti: "j".repeat(256) }],
    ["an iat of 90 seconds ago", { iat: -89 }],
    ["an iat in 30 seconds", { iat: 29 }],
    ["a query and a fragment in htu", { htu: `${BASE_URL}/v1/users?b=2#c` }],
    ["another spelling of htu", { htu: "HTTPS://API.example.com:443/v1/%75sers" }],
  ])("A6 takes %s", async (_what, claims) => {
    const token = await tokenFor();
    const iat = "iat" in claims ? { iat: now() + Number(claims.iat) } : {};
    await send(serve(), token, await proofFor(token, { ...claims, ...iat })).expect(200);
  });

  it("A6 asks for a nonce, and for a new one after its lifetime", async () => {
    const app = serve({ nonce: { secret: SECRET, lifetime: 100 } });
    time = 1_000_000_000_000;
    const token = await tokenFor();
    const first = await send(app, token, await proofFor(token)).expect(401);
    expect(first.headers["www-authenticate"]).toMatch(/^DPoP realm="api", error="use_dpop_nonce"/);
    const nonce = first.headers["dpop-nonce"]!;
    const good = await send(app, token, await proofFor(token, { nonce })).expect(200);
    expect(good.headers["dpop-nonce"]).toBeUndefined();
    time += 50_000;
    const later = await send(app, token, await proofFor(token, { nonce })).expect(200);
    expect(later.headers["dpop-nonce"]).toMatch(/^[\w-]{30}$/);
    time += 50_000;
    await send(app, token, await proofFor(token, { nonce })).expect(401);
    await send(app, token, await proofFor(token, { nonce: later.headers["dpop-nonce"] })).expect(200);
    for (const forged of ["", 7, `${nonce}A`, "A".repeat(30)]) {
      await send(app, token, await proofFor(token, { nonce: forged })).expect(401);
    }
  });

  it("A6 keeps proofs in a common store", async () => {
    const keysSeen: string[] = [];
    const replays = {
      remember: (key: string, expires: number) => {
        expect(expires).toBeGreaterThan(time);
        const isNew = !keysSeen.includes(key);
        keysSeen.push(key);
        return Promise.resolve(isNew);
      },
    };
    const token = await tokenFor();
    const proof = await proofFor(token);
    await send(serve({ replays }), token, proof).expect(200);
    await send(serve({ replays }), token, proof).expect(401);
    expect(keysSeen[0]).toMatch(/^[\w-]{43}$/);
    const gone = { remember: () => Promise.reject(new Error("gone")) };
    await send(serve({ replays: gone }), token, await proofFor(token)).expect(503);
  });

  it("A6 works with oauth4webapi as the client", async () => {
    time = Date.now();
    let baseUrl = "";
    const app = serve({ baseUrl: () => baseUrl, nonce: { secret: SECRET } });
    const server = createServer(app);
    baseUrl = `http://127.0.0.1:${await listen(server)}`;
    try {
      const dpop = oauth.DPoP({}, client);
      const call = async () =>
        oauth.protectedResourceRequest(await tokenFor(), "GET", new URL(`${baseUrl}/v1/users`), new Headers(), null, {
          DPoP: dpop,
          // eslint-disable-next-line @typescript-eslint/no-deprecated -- this server has no TLS
          [oauth.allowInsecureRequests]: true,
        });
      const fault = await call().catch((error: unknown) => error);
      expect(oauth.isDPoPNonceError(fault)).toBe(true);
      expect((await call()).status).toBe(200);
      expect((await call()).status).toBe(200);
    } finally {
      server.close();
    }
  });
});

describe("memoryDpopReplays()", () => {
  it.each([
    [2, false],
    [3, false],
    [4, true],
  ])("keeps 3 proofs: after %i, the first is forgotten is %s", (count, isForgotten) => {
    const store = memoryDpopReplays(3, () => 0);
    for (let n = 0; n < count; n++) expect(store.remember(String(n), 10)).toBe(true);
    expect(store.remember("0", 10)).toBe(isForgotten);
  });

  it("forgets proofs when they expire", () => {
    let time = 0;
    const store = memoryDpopReplays(3, () => time);
    expect(store.remember("a", 10)).toBe(true);
    time = 9;
    expect(store.remember("a", 10)).toBe(false);
    time = 10;
    expect(store.remember("a", 20)).toBe(true);
  });
});

describe("the option dpop", () => {
  it.each([
    [{}, "dpop.baseUrl"],
    [{ baseUrl: "http://api.example.com" }, "dpop.baseUrl"],
    [{ baseUrl: BASE_URL, proofLifetime: 0 }, "dpop.proofLifetime"],
    [{ baseUrl: BASE_URL, proofLifetime: 301 }, "dpop.proofLifetime"],
    [{ baseUrl: BASE_URL, proofAlgorithms: ["HS256"] }, "dpop.proofAlgorithms"],
    [{ baseUrl: BASE_URL, proofAlgorithms: [] }, "dpop.proofAlgorithms"],
    [{ baseUrl: BASE_URL, nonce: { secret: "short" } }, "dpop.nonce.secret"],
    [{ baseUrl: BASE_URL, nonce: { secret: SECRET, lifetime: 1 } }, "dpop.nonce.lifetime"],
    [{ baseUrl: BASE_URL, nonce: { secret: SECRET, life: 1 } }, "life"],
    [{ baseUrl: BASE_URL, replays: {} }, "dpop.replays"],
    [{ baseUrl: BASE_URL, ath: true }, "ath"],
  ])("refuses %j", (dpop, message) => {
    const make = () => jwtVerifier({ issuer: ISSUER, audience: "api", keys: { keys: [] }, dpop: dpop as never });
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });
});

describe("proofAlgorithms of a verifier", () => {
  const verifier = jwtVerifier({
    ...{ issuer: ISSUER, audience: "api", keys: { keys: [] } },
    dpop: { baseUrl: BASE_URL, proofAlgorithms: ["ES256", "PS256"] },
  });
  const around = Object.assign(() => undefined, { proofAlgorithms: verifier.proofAlgorithms });

  it.each(EXPRESS_VERSIONS)("A6 are in the challenge of a function around it, on %s", async (_version, express) => {
    const app = express();
    app.use(authenticate({ schemes: { DPoP: around, Bearer: () => undefined } }), errorFormatter());
    await request(app).get("/").expect("WWW-Authenticate", 'DPoP realm="api", algs="ES256 PS256", Bearer realm="api"');
  });

  it.each([null, "ES256", [1], ["a b"], [""]])("can't be %j", (proofAlgorithms) => {
    const DPoP = Object.assign(() => undefined, { proofAlgorithms: proofAlgorithms as never });
    expect(() => authenticate({ schemes: { DPoP } })).toThrow(
      "authenticate: option `schemes.DPoP.proofAlgorithms` must be an array of names of algorithms",
    );
  });
});
