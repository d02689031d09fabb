import { createHmac, generateKeyPairSync, type KeyObject } from "node:crypto";
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import tls from "node:tls";
import { SignJWT, UnsecuredJWT, type JWTPayload } from "jose";
import { hashApiToken } from "etiquette/api-token-verifier";
import { sql } from "kysely";
import { describeApi, insertApiToken, type TestOrg } from "../support/api.js";
import { startTestServer, type Answer, TEST_NODES } from "../support/server.js";
import { patient } from "../../../test/support/patience.js";

const ISSUER = "https://login.example.com";
const AUDIENCE = "https://demo.example.com/api";

/** Serves the same key set whatever it is asked. */
class KeyServer {
  readonly #server: Server;
  requests = 0;

  constructor(body: object) {
    this.#server = createServer((_req, res) => {
      this.requests++;
      res.setHeader("Content-Type", "application/json").end(JSON.stringify(body));
    });
  }

  async start(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/keys`;
  }

  stop(): void {
    this.#server.close().closeAllConnections();
  }
}

function createKey(kid: string): { kid: string; publicKey: KeyObject; privateKey: KeyObject; jwk: object } {
  const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { kid, ...pair, jwk: { ...pair.publicKey.export({ format: "jwk" }), kid, alg: "RS256", use: "sig" } };
}

const KEY = createKey("1");
const STRANGER = createKey("1");
const CLAIMS: JWTPayload = { iss: ISSUER, aud: AUDIENCE, sub: "joe", scope: "svc.trustedOrigins.read openid" };

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

function sign(claims: JWTPayload = {}, { kid, privateKey } = KEY, typ = "at+jwt"): Promise<string> {
  return new SignJWT({ ...CLAIMS, exp: inSeconds(60), ...claims })
    .setProtectedHeader({ alg: "RS256", kid, typ })
    .sign(privateKey);
}

/** The public key, which everyone knows, taken for a shared secret. */
function signWithPublicKey(secret: string): string {
  const [head, body] = [
    { alg: "HS256", kid: "1", typ: "at+jwt" },
    { ...CLAIMS, exp: inSeconds(60) },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  return `${head}.${body}.${createHmac("sha256", secret).update(`${head}.${body}`).digest("base64url")}`;
}

/** The challenges, without the URL of the metadata, and without that of DPoP. */
const challengeOf = ({ headers }: Pick<Answer, "headers">): string =>
  String(headers["www-authenticate"])
    .replaceAll(/, resource_metadata="https:[^"]*\/api"/g, "")
    .replace(/, DPoP realm="[^"]*", algs="[^"]*"/, "");

const issuer = (keys: unknown, members: object = {}) => ({ issuer: ISSUER, audience: AUDIENCE, keys, ...members });

describeApi((openOrg) => {
  let org: TestOrg;
  beforeEach(async () => {
    org = await openOrg();
  });

  /** An org that trusts the issuer. */
  const openTrusting = (...members: Parameters<typeof issuer>) => openOrg(() => ({ issuers: [issuer(...members)] }));

  const callWith = (authorization: string | string[], { api } = org, path = "/trustedOrigins", method = "GET") =>
    api(path, { method, headers: { Authorization: authorization } });
  const bearer = (token: string, asked?: TestOrg) => callWith(`Bearer ${token}`, asked);

  function expectRefused(answer: Answer, cause: string): void {
    const { status, body, headers } = answer;
    expect([status, body.errorCode, body.errorSummary]).toEqual([401, "E0000011", "Invalid token provided"]);
    expect(body.errorCauses).toEqual([{ errorSummary: expect.stringContaining(cause) }]);
    expect(body.errorId).toBe(headers["x-svc-request-id"]);
    expect(headers["www-authenticate"]).toMatch(/^Bearer realm="svc"/);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  }

  describe("API tokens", () => {
    test("A1 are taken in the scheme of the namespace, in any case", async () => {
      const { token } = org;
      for (const scheme of ["SVC", "svc", "Svc"]) expect((await callWith(`${scheme} ${token}`)).status).toBe(200);
      const challenge = 'Bearer realm="svc", SVC realm="svc"';
      for (const line of [
        `Bearer ${token}`,
        `ACME ${token}`,
        token,
        `SVC ${token} `,
        `SVC ${token},x`,
        "SVC",
        "",
        "Basic a",
      ]) {
        const { status, headers } = await callWith(line);
        if (line === `SVC ${token} `) expect(status).toBe(200); // white space around a field is no part of it
        else
          expect([line, status, challengeOf({ headers }).replaceAll(/, error="[^"]*"/g, "")]).toEqual([
            line,
            401,
            challenge,
          ]);
      }
    });

    test("N4 are taken in another namespace, or another scheme", async () => {
      const acme = await startTestServer(org, { namespace: "acme", apiTokenScheme: "ACME" });
      org = org.at(acme);
      const { token } = org;
      expect((await callWith(`ACME ${token}`)).status).toBe(200);
      const refused = await callWith(`SVC ${token}`);
      expect(refused.status).toBe(401);
      expect(challengeOf(refused)).toBe('Bearer realm="acme", ACME realm="acme"');
      const made = await org.api("/apiTokens", {
        method: "POST",
        body: { name: "a", scopes: ["acme.users.read"] },
        headers: { Authorization: `ACME ${token}` },
      });
      expect(made.body.scopes).toEqual(["acme.users.read"]);
      await acme.close();

      const renamed = await startTestServer(org, { apiTokenScheme: "Token" });
      org = org.at(renamed);
      expect((await callWith(`Token ${token}`)).status).toBe(200);
      expectRefused(await callWith(`SVC ${token}`), "accepted: Bearer, DPoP, Token");
      await renamed.close();
    });

    test("A2 of one org open nothing in another", async () => {
      const { token } = org;
      expect((await callWith(`SVC ${token}`)).status).toBe(200);
      expectRefused(await callWith(`SVC ${token}`, await openOrg()), "The SVC token is not valid here");
    });

    test("A2 are taken from the addresses of their list only; elsewhere they are like unknown ones", async () => {
      const server = await startTestServer(org, { trustedProxies: ["127.0.0.1"] });
      org = org.at(server);
      const addresses = ["192.0.2.0/24", "2001:db8::1-2001:db8::9"];
      const token = await insertApiToken(org.options, org.subdomain, undefined, { addresses });
      const from = (address: string, secret = token) =>
        org.api("/trustedOrigins", {
          headers: { Authorization: `SVC ${secret}`, "X-Forwarded-For": address, "X-Forwarded-Proto": "https" },
        });
      for (const [address, status] of [
        ["192.0.1.255", 401],
        ["192.0.2.0", 200],
        ["192.0.2.255", 200],
        ["::ffff:192.0.2.7", 200],
        ["192.0.3.0", 401],
        ["2001:db8::", 401],
        ["2001:db8::9", 200],
        ["127.0.0.1", 401],
      ] as const) {
        expect([address, (await from(address)).status]).toEqual([address, status]);
      }
      const refused = await from("203.0.113.9");
      expectRefused(refused, "not allowed from this address");
      const essence = ({ headers, body }: Answer) => [headers["www-authenticate"], { ...body, errorId: "" }];
      expect(essence(refused)).toEqual(essence(await from("203.0.113.9", "etq_unknown")));

      const id = String(refused.headers["x-svc-request-id"]);
      const filter = encodeURIComponent(`transaction.id eq "${id}"`);
      await expectSoon(async () => (await org.api(`/logs?filter=${filter}`)).body[0]?.outcome.reason, {
        asymmetricMatch: (reason: unknown) =>
          /^E0000011: Invalid token provided The API token \w{20} is not allowed from this address\.$/.test(
            String(reason),
          ),
      });
      await server.close();
    });

    test("A2 that were made before tokens had a prefix are still valid", async () => {
      const old = "0123456789abcdef0123456789abcdef01234567";
      await org.store.write(async ({ db: writer, now }) => {
        const row = { id: "x".repeat(20), name: "old", hash: hashApiToken(old), expires: null };
        await sql`
          insert into api_tokens (org_id, id, name, hash, scopes, expires, created, last_updated)
          values (${org.id}, ${row.id}, ${row.name}, ${row.hash}, '["trustedOrigins.read"]', null, ${now}, ${now})
        `.execute(writer);
      });
      expect((await callWith(`SVC ${old}`)).status).toBe(200);
    });

    test("A2 that don't exist, or have no scope for it, are told apart", async () => {
      expectRefused(await callWith(`SVC ${"0".repeat(40)}`), "The SVC token is not valid here");
      const token = await insertApiToken(org.options, org.subdomain, ["users.manage", "trustedOrigins.read"]);
      expect((await callWith(`SVC ${token}`)).status).toBe(200);
      const refused = await callWith(`SVC ${token}`, org, "/trustedOrigins", "POST");
      expect(refused).toMatchObject({ status: 403, body: { errorCode: "E0000006" } });
      expect(challengeOf(refused)).toBe(
        'Bearer realm="svc", error="insufficient_scope", scope="svc.trustedOrigins.manage"',
      );
    });
  });

  describe("no credentials, or too many", () => {
    test("A2 are refused with a challenge of each scheme", async () => {
      const { token } = org;
      const [head, ...lines] = await sendRaw(org, [`Authorization: SVC ${token}`, `Authorization: SVC ${token}`]);
      expect(head).toBe("HTTP/1.1 401 Unauthorized");
      expect(lines.join("\n")).toContain("Authorization comes more than once");

      const [first, ...others] = await sendRaw(org, []);
      expect(first).toBe("HTTP/1.1 401 Unauthorized");
      const field = others.find((line) => line.startsWith("WWW-Authenticate: "));
      expect(challengeOf({ headers: { "www-authenticate": field } })).toBe(
        'WWW-Authenticate: Bearer realm="svc", SVC realm="svc"',
      );
      expect(others.join("\n")).toContain("Authorization is missing; accepted: Bearer, DPoP, SVC.");
    });

    test("A3 is all that WebFinger needs", async () => {
      const [head] = await sendRaw(org, [], "/.well-known/webfinger?resource=svc:acct:joe");
      expect(head).toBe("HTTP/1.1 200 OK");
    });
  });

  describe("access tokens", () => {
    test("A1 are checked against the keys of the issuer, in the import file", async () => {
      org = await openTrusting({ keys: [KEY.jwk] });
      expect((await bearer(await sign())).status).toBe(200);
      expect((await bearer(await sign({ scope: "svc.trustedOrigins.manage" }))).status).toBe(200);
      expect((await bearer(await sign({ aud: ["x", AUDIENCE] }))).status).toBe(200);
      const challenge = 'Bearer realm="svc", error="invalid_token", SVC realm="svc"';
      for (const token of [
        await sign({}, STRANGER),
        await sign({ iss: "https://evil.example.com" }),
        await sign({ iss: `${ISSUER}/` }),
        await sign({ aud: "other" }),
        await sign({ exp: inSeconds(-31) }),
        await sign({ nbf: inSeconds(60) }),
        new UnsecuredJWT({ ...CLAIMS, exp: inSeconds(60) }).encode(),
        signWithPublicKey(KEY.publicKey.export({ format: "pem", type: "spki" }).toString()),
        signWithPublicKey(JSON.stringify(KEY.jwk)),
        "a.b.c",
        "no-token",
      ]) {
        const answer = await bearer(token);
        expectRefused(answer, "The Bearer token is not valid here");
        expect(challengeOf(answer)).toBe(challenge);
        expect(answer.text).not.toContain(token);
      }
      expect(JSON.stringify(org.server.lines)).not.toContain(".eyJ");
    });

    test("A1 are of the types of the issuer in the import file, and not bound to a key", async () => {
      org = await openTrusting({ keys: [KEY.jwk] });
      const other = await openTrusting({ keys: [KEY.jwk] }, { types: ["JWT", "x+jwt"] });
      const statuses = async (asked: TestOrg) =>
        Promise.all(
          ["at+jwt", "JWT", "x+jwt", "logout+jwt"].map(
            async (typ) => (await bearer(await sign({}, KEY, typ), asked)).status,
          ),
        );
      expect(await statuses(other)).toEqual([401, 200, 200, 401]);
      expect(await statuses(org)).toEqual([200, 401, 401, 401]);
      expectRefused(await bearer(await sign({ cnf: { jkt: "x" } })), "The Bearer token is not valid here");
    });

    test("A2 without the scope are 403", async () => {
      org = await openTrusting({ keys: [KEY.jwk] });
      for (const scope of ["", "openid", "trustedOrigins.read", "svc.users.manage", "svc.trustedOrigins"]) {
        const answer = await bearer(await sign({ scope }));
        expect(answer).toMatchObject({ status: 403, body: { errorCode: "E0000006" } });
        expect(challengeOf(answer)).toBe(
          'Bearer realm="svc", error="insufficient_scope", scope="svc.trustedOrigins.read"',
        );
      }
    });

    test("A2 of an issuer that only one org trusts open nothing in another", async () => {
      org = await openTrusting({ keys: [KEY.jwk] });
      const token = await sign();
      expect((await bearer(token)).status).toBe(200);
      expectRefused(await bearer(token, await openOrg()), "The Bearer token is not valid here");
    });

    test("A2 of an issuer that both orgs trust are good where their audience is", async () => {
      org = await openTrusting({ keys: [KEY.jwk] });
      const other = await openTrusting({ keys: [KEY.jwk] }, { audience: "other" });
      const [token, foreign] = [await sign(), await sign({ aud: "other" })];
      expect([(await bearer(token)).status, (await bearer(foreign, other)).status]).toEqual([200, 200]);
      expectRefused(await bearer(token, other), "The Bearer token is not valid here");
      expectRefused(await bearer(foreign), "The Bearer token is not valid here");
    });

    test("A2 can't pass for an API token", async () => {
      org = await openTrusting({ keys: [KEY.jwk] });
      expectRefused(await callWith(`SVC ${await sign()}`), "The SVC token is not valid here");
    });

    test("A1 are checked with keys from a URL, which a node fetches once", async () => {
      const keyServer = new KeyServer({ keys: [KEY.jwk] });
      org = await openTrusting(await keyServer.start());
      for (let i = 0; i < 3; i++) expect((await bearer(await sign())).status).toBe(200);
      expectRefused(await bearer(await sign({}, STRANGER)), "The Bearer token is not valid here");
      expect(keyServer.requests).toBe(TEST_NODES);
      keyServer.stop();
    });

    test("E4 that are forged make no request for keys each, while those can't be had", async () => {
      const keyServer = new KeyServer({});
      org = await openTrusting(await keyServer.start());
      const tokens = await Promise.all(Array.from({ length: 50 }, (_, i) => sign({}, { ...STRANGER, kid: String(i) })));
      const answers = await Promise.all(tokens.map((token) => bearer(token)));
      expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(503));
      expect(keyServer.requests).toBeLessThanOrEqual(5 * TEST_NODES); // one, then one more after each pause
      keyServer.stop();
    });

    test("E4 are 503 when the keys can't be had, which is no fault of the token", async () => {
      const keyServer = new KeyServer({});
      const url = await keyServer.start();
      org = await openTrusting(url);
      const expectUnavailable = async () => {
        const { status, body, headers } = await bearer(await sign());
        expect([status, body.errorCode, body.errorCauses]).toEqual([503, "E0009011", []]);
        expect(body.errorId).toBe(headers["x-svc-request-id"]);
        expect(JSON.stringify(body)).not.toContain(url);
      };
      await expectUnavailable();
      keyServer.stop();
      await expectUnavailable();
      const lines = org.server.lines.filter((line) => line["status"] === 503 && line["org"] === org.subdomain);
      expect(lines).toMatchObject([{ err: {} }, { err: {} }]);
    });

    test("A1 are taken within a second of the import of their issuer, and refused when it is taken away", async () => {
      const token = await sign();
      const statusOf = async () => (await bearer(token)).status;
      expect(await statusOf()).toBe(401);
      await org.change({ issuers: [issuer({ keys: [KEY.jwk] })] });
      await expectEventually(statusOf, 200);
      await org.change({ issuers: [issuer({ keys: [STRANGER.jwk] })] });
      await expectEventually(statusOf, 401);
      await org.change({ issuers: [issuer({ keys: [KEY.jwk] })] });
      await expectEventually(statusOf, 200);
      await org.change({ issuers: [] });
      await expectEventually(statusOf, 401);
    });

    test("A4 make API tokens that end with them, and name who made them", async () => {
      org = await openTrusting({ keys: [KEY.jwk] });
      const exp = inSeconds(90);
      const scope = "svc.apiTokens.manage svc.users.read";
      const make = async (name: string, members: object = {}, claims: JWTPayload = {}) =>
        org.api("/apiTokens", {
          method: "POST",
          body: { name, ...members },
          headers: { Authorization: `Bearer ${await sign({ scope, exp, ...claims })}` },
        });
      const end = new Date(exp * 1_000).toISOString();
      expect((await make("a")).body).toMatchObject({ expiresAt: end, createdBy: { type: "AccessToken", id: "joe" } });
      const later = await make("b", { expiresAt: new Date(exp * 1_000 + 1).toISOString() });
      expect(later).toMatchObject({
        status: 400,
        body: {
          errorCauses: [
            { errorSummary: `expiresAt: must not be after ${end}, when the token of this request expires` },
          ],
        },
      });
      const endless = await make("c", {}, { exp: 1e15 });
      expect(Date.parse(endless.body.expiresAt) - Date.parse(endless.body.created)).toBe(90 * 86_400_000);
      const revoked = await org.api("/apiTokens/lifecycle/revoke", {
        method: "POST",
        body: { createdBy: "joe" },
        headers: { Authorization: `Bearer ${await sign({ scope })}` },
      });
      expect(revoked.body).toEqual({ revoked: 2 });
    });

    test("A2 make API tokens that can do no more than they", async () => {
      org = await openTrusting({ keys: [KEY.jwk] });
      const token = await sign({ scope: "openid svc.apiTokens.manage svc.users.read" });
      const made = await org.api("/apiTokens", {
        method: "POST",
        body: { name: "a" },
        headers: { Authorization: `Bearer ${token}` },
      });
      expect(made.body.scopes).toEqual(["svc.users.read", "svc.apiTokens.manage"]);
    });
  });
});

async function expectSoon(ask: () => Promise<unknown>, expected: { asymmetricMatch: (value: unknown) => boolean }) {
  const deadline = performance.now() + patient(10_000);
  let answer: unknown;
  do answer = await ask();
  while (!expected.asymmetricMatch(answer) && performance.now() < deadline);
  expect(answer).toEqual(expected);
}

async function expectEventually(ask: () => Promise<unknown>, expected: unknown): Promise<void> {
  const deadline = performance.now() + patient(10_000);
  let answer: unknown;
  do answer = await ask();
  while (answer !== expected && performance.now() < deadline);
  expect(answer).toBe(expected);
}

/** What a client library would not send: the lines of the answer. */
async function sendRaw(
  { server: { port, ca }, subdomain }: TestOrg,
  fields: readonly string[],
  path = "/api/v1/trustedOrigins",
): Promise<string[]> {
  const socket = tls.connect({ port, host: "127.0.0.1", servername: "localhost", ...(ca !== undefined && { ca }) });
  socket.write(
    [`GET ${path} HTTP/1.1`, `Host: ${subdomain}.localhost:${port}`, "Connection: close", ...fields, "", ""].join(
      "\r\n",
    ),
  );
  let text = "";
  for await (const chunk of socket.setEncoding("utf8")) text += String(chunk);
  return text.split("\r\n");
}
