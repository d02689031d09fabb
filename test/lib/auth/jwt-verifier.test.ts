import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import { createGzip } from "node:zlib";
import fc from "fast-check";
import type { Request } from "express";
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from "jose";
import request from "supertest";
import { authenticate, getPrincipal } from "../../../middleware/authenticate.js";
import { errorFormatter } from "../../../middleware/error-formatter.js";
import { jwtVerifier, type JsonWebKeySet, type JwtVerifierOptions } from "../../../lib/auth/jwt-verifier.js";
import { EXPRESS_VERSIONS } from "../../support/express.js";
import { listen } from "../../support/raw-socket.js";

const ISSUER = "https://acme.example.com";
const AUDIENCE = "api";
const REQ = {} as unknown as Request;

type Pair = Awaited<ReturnType<typeof createKey>>;

async function createKey(alg: string, kid: string) {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { alg, kid, publicKey, privateKey, jwk: { ...(await exportJWK(publicKey)), kid } };
}

function inSeconds(seconds: number): number {
  return Math.floor(Date.now() / 1000) + seconds;
}

const CLAIMS: JWTPayload = { iss: ISSUER, aud: AUDIENCE, sub: "joe", scp: ["users.read"] };

function sign(
  { alg, kid, privateKey }: Pair,
  claims: JWTPayload = {},
  header: Record<string, unknown> = {},
): Promise<string> {
  return new SignJWT({ ...CLAIMS, exp: inSeconds(60), ...claims })
    .setProtectedHeader({ alg, kid, typ: "at+jwt", ...header })
    .sign(privateKey);
}

/** A token with any header and signature. */
function forge(header: object, claims: object, signature: (input: string) => string): string {
  const [head, body] = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  const input = `${head}.${body}`;
  return `${input}.${signature(input)}`;
}

describe("jwtVerifier", () => {
  let rsa: Pair;
  let ec: Pair;
  let stranger: Pair;
  let keys: JsonWebKeySet;

  beforeAll(async () => {
    [rsa, ec, stranger] = await Promise.all([
      createKey("RS256", "r1"),
      createKey("ES256", "e1"),
      createKey("RS256", "r1"),
    ]);
    keys = { keys: [rsa.jwk, ec.jwk] };
  });

  function verify(token: string, options: Partial<JwtVerifierOptions> = {}, req = REQ) {
    return jwtVerifier({ issuer: ISSUER, audience: AUDIENCE, keys, ...options })(token, req);
  }

  describe("the token", () => {
    it("A1 gives the subject, the scopes and the claims", async () => {
      const token = await sign(rsa, { name: "Joe" });
      expect(await verify(token)).toEqual({
        subject: "joe",
        scopes: ["users.read"],
        claims: { ...CLAIMS, exp: expect.any(Number) as number, name: "Joe" },
      });
      expect(await verify(await sign(ec))).toMatchObject({ subject: "joe" });
    });

    it.each(["PS256", "ES256", "EdDSA"])("A1 takes %s", async (alg) => {
      const pair = await createKey(alg, "k");
      expect(await verify(await sign(pair), { keys: { keys: [pair.jwk] } })).toMatchObject({ subject: "joe" });
    });

    it.each([
      [{ scp: ["a", "b"] }, ["a", "b"]],
      [{ scp: "a b" }, ["a", "b"]],
      [{ scp: undefined, scope: "a b" }, ["a", "b"]],
      [{ scp: undefined, scope: ["a", "b"] }, ["a", "b"]],
      [{ scp: ["a"], scope: "b" }, ["a"]],
      [{ scp: undefined }, []],
      [{ scp: { a: true } }, []],
      [{ scp: ["a", 7] }, []],
    ])("A1 reads the scopes of %j", async (claims, scopes) => {
      expect(await verify(await sign(rsa, claims))).toMatchObject({ scopes });
    });

    it.each([
      ["another issuer", { iss: "https://other.example.com" }],
      ["the issuer with a slash", { iss: `${ISSUER}/` }],
      ["no issuer", { iss: undefined }],
      ["another audience", { aud: "client" }],
      ["no audience", { aud: undefined }],
      ["an empty list of audiences", { aud: [] }],
      ["no expiry", { exp: undefined }],
      ["an expiry that is no number", { exp: "2100" as never }],
      ["no subject", { sub: undefined }],
      ["an empty subject", { sub: "" }],
      ["a subject that is no text", { sub: 7 as never }],
    ])("A1 refuses %s", async (_title, claims) => {
      expect(await verify(await sign(rsa, claims as JWTPayload))).toBeUndefined();
    });

    it("A1 takes a token that names several audiences, ours among them", async () => {
      expect(await verify(await sign(rsa, { aud: ["x", AUDIENCE] }))).toMatchObject({ subject: "joe" });
    });

    it.each([
      [{ exp: -29 }, true],
      [{ exp: -31 }, false],
      [{ nbf: 29 }, true],
      [{ nbf: 32 }, false],
    ])("A1 allows clocks to differ by 30 seconds: %j", async (offsets, good) => {
      const now = Date.now();
      const claims = Object.fromEntries(Object.entries(offsets).map(([claim, offset]) => [claim, inSeconds(offset)]));
      expect((await verify(await sign(rsa, claims), { now: () => now })) !== undefined).toBe(good);
    });

    it("A1 judges expiry by the clock of option now", async () => {
      const token = await sign(rsa, { exp: 1_000 });
      expect(await verify(token, { now: () => 1_029_000 })).toMatchObject({ subject: "joe" });
      expect(await verify(token, { now: () => 1_031_000 })).toBeUndefined();
    });

    it("A1 refuses the signature of another key with the same id", async () => {
      expect(await verify(await sign(stranger))).toBeUndefined();
    });

    it("A1 refuses a token that was changed", async () => {
      const [header, , signature] = (await sign(rsa)).split(".");
      const claims = { ...CLAIMS, sub: "root", exp: inSeconds(60) };
      const body = Buffer.from(JSON.stringify(claims)).toString("base64url");
      expect(await verify([header, body, signature].join("."))).toBeUndefined();
    });

    it("A1 refuses alg none, signed or not", async () => {
      const claims = { ...CLAIMS, exp: inSeconds(60) };
      expect(await verify(new UnsecuredJWT(claims).encode())).toBeUndefined();
      for (const alg of ["none", "None", "NONE", "nOnE"]) {
        expect(await verify(forge({ alg, kid: "r1" }, claims, () => ""))).toBeUndefined();
        expect(await verify(forge({ alg, kid: "r1" }, claims, () => "AAAA"))).toBeUndefined();
      }
    });

    it("A1 refuses HS256 with the public key as the secret", async () => {
      const claims = { ...CLAIMS, exp: inSeconds(60) };
      const secrets = [await exportSPKI(rsa.publicKey), JSON.stringify(rsa.jwk), rsa.jwk.n ?? ""];
      for (const secret of secrets) {
        const hmac = (input: string) => createHmac("sha256", secret).update(input).digest("base64url");
        expect(await verify(forge({ alg: "HS256", kid: "r1" }, claims, hmac))).toBeUndefined();
        expect(await verify(forge({ alg: "HS256" }, claims, hmac))).toBeUndefined();
      }
    });

    it("A1 refuses an algorithm that is not accepted, also with a good signature", async () => {
      const token = await sign(rsa);
      expect(await verify(token, { algorithms: ["ES256"] })).toBeUndefined();
      expect(await verify(token, { algorithms: ["ES256", "RS256"] })).toMatchObject({ subject: "joe" });
    });

    it("A1 looks at no key that the token brings", async () => {
      const token = await sign(stranger, {}, { kid: undefined, jwk: stranger.jwk, jku: "https://evil.example/keys" });
      expect(await verify(token)).toBeUndefined();
    });

    it("A1 refuses critical extensions", async () => {
      const signature = () => "AAAA";
      expect(await verify(forge({ alg: "RS256", kid: "r1", crit: ["x"], x: 1 }, CLAIMS, signature))).toBeUndefined();
    });

    it("A1 takes a token without a key id only when one key can have signed it", async () => {
      const token = await sign(rsa, {}, { kid: undefined });
      expect(await verify(token)).toMatchObject({ subject: "joe" });
      expect(await verify(token, { keys: { keys: [rsa.jwk, { ...stranger.jwk, kid: "r2" }] } })).toBeUndefined();
    });

    it.each<[JwtVerifierOptions["typ"], unknown[], unknown[]]>([
      [
        undefined,
        ["at+jwt", "application/at+jwt", "AT+JWT"],
        ["JWT", undefined, "logout+jwt", "secevent+jwt", "dpop+jwt", "at", "", "application/", "text/at+jwt"],
      ],
      ["JWT", ["JWT", "jwt", "application/jwt", undefined], ["at+jwt", "logout+jwt", null, 7, ["JWT"], ""]],
      [
        ["application/AT+JWT", "x"],
        ["at+jwt", "x", "application/X"],
        ["JWT", undefined],
      ],
      [() => Promise.resolve(["JWT"]), ["JWT"], ["at+jwt"]],
    ])("A1 accepts with option typ %j the types %j and refuses %j", async (typ, accepted, refused) => {
      const isGood = async (sent: unknown) =>
        (await verify(await sign(rsa, {}, { typ: sent }), typ === undefined ? {} : { typ })) !== undefined;
      for (const sent of accepted) expect([sent, await isGood(sent)]).toEqual([sent, true]);
      for (const sent of refused) expect([sent, await isGood(sent)]).toEqual([sent, false]);
    });

    it.each([
      ["a key", { cnf: { jkt: "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I" } }],
      ["a certificate", { cnf: { "x5t#S256": "bwcK0esc3ACC3DB2Y5_lESsXE8o9ltc05O89jdN-dg2" } }],
      ["nothing that is known", { cnf: null }],
    ])("A1 refuses a token that is bound to %s, because it is not for the bearer", async (_title, claims) => {
      expect(await verify(await sign(rsa, claims))).toBeUndefined();
    });

    it("A1 refuses a logout token, also when the issuer gives it the type JWT", async () => {
      const claims = { events: { "http://schemas.openid.net/event/backchannel-logout": {} } };
      expect(await verify(await sign(rsa, claims, { typ: "JWT" }), { typ: "JWT" })).toBeUndefined();
    });

    it("A1 refuses whatever else is sent, and never fails over it", async () => {
      const good = await sign(rsa);
      const parts = fc.array(fc.string({ unit: "grapheme-ascii", maxLength: 30 }), { maxLength: 6 });
      const headers = fc.record({
        alg: fc.oneof(fc.constantFrom("RS256", "ES256", "none", "HS256", "__proto__"), fc.jsonValue()),
        kid: fc.oneof(fc.constantFrom("r1", "e1"), fc.jsonValue()),
        crit: fc.jsonValue(),
        b64: fc.jsonValue(),
        typ: fc.jsonValue(),
      });
      const forged = fc
        .tuple(headers, fc.jsonValue())
        .map(([header, claims]) => forge(header, claims as object, () => good.split(".")[2] ?? ""));
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(
            parts.map((list) => list.join(".")),
            forged,
          ),
          async (token) => {
            expect(await verify(token)).toBeUndefined();
          },
        ),
        { numRuns: 300 },
      );
    });
  });

  describe("by org", () => {
    it("A2 opens nothing in another org", async () => {
      const orgs = [
        { issuer: "https://a.example.com", jwks: { keys: [rsa.jwk] } },
        { issuer: "https://b.example.com", jwks: { keys: [stranger.jwk] } },
      ] as const;
      const verifier = jwtVerifier({
        issuer: (req) => (req as unknown as { org: (typeof orgs)[0] }).org.issuer,
        audience: () => Promise.resolve([AUDIENCE, "other"]),
        keys: (req) => Promise.resolve((req as unknown as { org: (typeof orgs)[0] }).org.jwks),
      });
      const [a, b] = orgs.map((org) => ({ org }) as unknown as Request) as [Request, Request];
      const ofA = await sign(rsa, { iss: orgs[0].issuer });
      const ofB = await sign(stranger, { iss: orgs[1].issuer });
      expect(await verifier(ofA, a)).toMatchObject({ subject: "joe" });
      expect(await verifier(ofB, b)).toMatchObject({ subject: "joe" });
      expect(await verifier(ofA, b)).toBeUndefined();
      expect(await verifier(ofB, a)).toBeUndefined();
      expect(await verifier(await sign(rsa, { iss: orgs[1].issuer }), b)).toBeUndefined();
      expect(await verifier(await sign(rsa, { iss: orgs[1].issuer }), a)).toBeUndefined();
    });

    it.each(["issuer", "audience", "keys", "typ"])(
      "A1 fails, and checks no less, when there is no %s",
      async (option) => {
        const token = await sign(rsa);
        for (const value of [undefined, null, "", [], [""], 7, {}]) {
          await expect(verify(token, { [option]: () => value })).rejects.toThrow(
            new RegExp(`^jwtVerifier: option \`${option}\` must be `),
          );
        }
      },
    );

    it("serves more orgs than it keeps key sets for", async () => {
      const verifier = jwtVerifier({
        issuer: ISSUER,
        audience: AUDIENCE,
        keys: () => ({ keys: [{ ...ec.jwk }] }),
      });
      const token = await sign(ec);
      for (let i = 0; i < 1_002; i++) expect(await verifier(token, REQ)).toMatchObject({ subject: "joe" });
    });
  });

  describe("keys from a URL", () => {
    /** A server of keys; a test can replace what it answers, and move the verifier's clock by milliseconds. */
    interface KeyServer {
      fetched: number;
      answer: (res: ServerResponse) => void;
      passed: number;
    }

    async function withKeyServer(
      test: (verifier: ReturnType<typeof jwtVerifier>, state: KeyServer, url: string) => Promise<void>,
    ) {
      const state: KeyServer = { fetched: 0, answer: send(JSON.stringify(keys)), passed: 0 };
      const server = createServer((_req, res) => {
        state.fetched += 1;
        state.answer(res);
      });
      const start = Date.now();
      try {
        const url = `http://127.0.0.1:${await listen(server)}/keys`;
        const now = () => start + state.passed;
        await test(jwtVerifier({ issuer: ISSUER, audience: AUDIENCE, keys: () => url, now }), state, url);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    }

    const send =
      (text: string, status = 200) =>
      (res: ServerResponse) =>
        void res.writeHead(status).end(text);

    const LATER = inSeconds(3_600);
    const unknown = (id: number) => sign(rsa, { exp: LATER }, { kid: `made-up-${id}` });
    const known = () => sign(rsa, { exp: LATER });

    it("A1 are fetched once for many tokens, concurrent ones too", async () => {
      await withKeyServer(async (verifier, state) => {
        const token = await known();
        const first = await Promise.all(Array.from({ length: 5 }, () => verifier(token, REQ)));
        expect([...first, await verifier(await sign(ec), REQ)]).toEqual(
          Array(6).fill(expect.objectContaining({ subject: "joe" })),
        );
        expect(state.fetched).toBe(1);
      });
    });

    it("A1 are those that were sent, whatever names other JSON had", async () => {
      const earlier = JSON.parse(String.raw`{"fetched":1,"key\\":1}`) as unknown;
      await withKeyServer(async (verifier, state) => {
        state.answer = send(String.raw`{"fetched":1,"key\u0073":${JSON.stringify(keys.keys)}}`);
        expect(await verifier(await known(), REQ)).toMatchObject({ subject: "joe" });
      });
      expect(earlier).toBeDefined();
    });

    it("A1 are fetched again after ten minutes", async () => {
      await withKeyServer(async (verifier, state) => {
        for (const [passed, fetched] of [
          [0, 1],
          [599_999, 1],
          [600_000, 2],
          [1_199_999, 2],
        ] as const) {
          state.passed = passed;
          expect(await verifier(await known(), REQ)).toMatchObject({ subject: "joe" });
          expect(state.fetched).toBe(fetched);
        }
      });
    });

    it("A1 are fetched for key ids that are made up once in thirty seconds, however many there are", async () => {
      await withKeyServer(async (verifier, state) => {
        for (const [passed, fetched] of [
          [0, 1],
          [29_999, 1],
          [30_000, 2],
          [59_999, 2],
          [60_000, 3],
        ] as const) {
          state.passed = passed;
          const forged = await Promise.all(Array.from({ length: 10 }, (_, i) => unknown(i)));
          expect(await Promise.all(forged.map((token) => verifier(token, REQ)))).toEqual(Array(10).fill(undefined));
          expect(await verifier(forged[0]!, REQ)).toBeUndefined();
          expect(state.fetched).toBe(fetched);
        }
      });
    });

    it.each([
      ["fail", send("{}", 500)],
      ["are no JSON", send("<html>")],
      ["are no key set", send("{}")],
      ["are elsewhere", (res: ServerResponse) => void res.writeHead(302, { Location: "/keys" }).end()],
      [
        "end early",
        (res: ServerResponse) => void res.writeHead(200, { "Content-Length": "9" }).end("{}", () => res.destroy()),
      ],
    ])("A2 make the verifier fail, rather than call the token bad, when they %s", async (_title, answer) => {
      await withKeyServer(async (verifier, state) => {
        const token = await known();
        const good = state.answer;
        state.answer = answer;
        await expect(verifier(token, REQ)).rejects.toThrow();
        expect(state.fetched).toBe(1);
        state.answer = good;
        await expect(verifier(token, REQ)).rejects.toThrow("not fetched again so soon after a failure");
        expect(state.fetched).toBe(1);
        state.passed = 1_000;
        expect(await verifier(token, REQ)).toMatchObject({ subject: "joe" });
      });
    });

    it("A1 are asked for less and less often while they can't be had, whatever tokens come", async () => {
      await withKeyServer(async (verifier, state) => {
        state.answer = send("", 503);
        const attempts: number[] = [];
        const forged = await unknown(0);
        for (let passed = 0; passed <= 250_000; passed += 500) {
          state.passed = passed;
          const before = state.fetched;
          const refusals = await Promise.allSettled([verifier(forged, REQ), verifier(forged, REQ)]);
          expect(refusals.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
          if (state.fetched > before) attempts.push(passed / 1_000);
        }
        expect(attempts).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
        expect(state.fetched).toBe(attempts.length);
      });
    });

    it("A1 that were fetched go on serving while new ones can't be had", async () => {
      await withKeyServer(async (verifier, state) => {
        expect(await verifier(await known(), REQ)).toMatchObject({ subject: "joe" });
        state.answer = send("", 500);
        state.passed = 30_000;
        for (let i = 0; i < 10; i++) {
          await expect(verifier(await unknown(i), REQ)).rejects.toThrow();
          expect(await verifier(await known(), REQ)).toMatchObject({ subject: "joe" });
        }
        expect(state.fetched).toBe(2);
      });
    });

    it.each([
      [1_048_575, true],
      [1_048_576, true],
      [1_048_577, false],
    ])("A1 of %i bytes are read: %s", async (length, isRead) => {
      await withKeyServer(async (verifier, state) => {
        const text = JSON.stringify({ ...keys, pad: "" });
        state.answer = send(text.replace('"pad":""', `"pad":"${"x".repeat(length - text.length)}"`));
        const verdict = verifier(await known(), REQ);
        if (isRead) expect(await verdict).toMatchObject({ subject: "joe" });
        else await expect(verdict).rejects.toThrow("is longer than 1048576 bytes");
      });
    });

    it("A1 are not read to the end when they are endless, compressed or not", async () => {
      await withKeyServer(async (verifier, state) => {
        let written = 0;
        const closed: Promise<unknown>[] = [];
        const pour = (res: ServerResponse, stream: Writable) => {
          closed.push(once(res, "close"));
          const write = () => {
            while (!res.destroyed && stream.write(Buffer.alloc(65_536, " "))) written += 65_536;
          };
          stream.on("drain", write).on("error", () => undefined);
          write();
        };
        state.answer = (res) => {
          pour(res, res);
        };
        await expect(verifier(await known(), REQ)).rejects.toThrow("is longer than");
        await closed[0];
        expect(written).toBeLessThan(20_000_000);

        state.passed = 1_000;
        state.answer = (res) => {
          res.setHeader("Content-Encoding", "gzip");
          const gzip = createGzip();
          gzip.pipe(res);
          pour(res, gzip);
        };
        await expect(verifier(await known(), REQ)).rejects.toThrow("is longer than");
        await closed[1];
      });
    });

    it.each([
      ["never answers", () => undefined],
      [
        "sends a byte at a time",
        (res: ServerResponse) => {
          const timer = setInterval(() => res.write(" "), 50);
          res.on("close", () => {
            clearInterval(timer);
          });
        },
      ],
    ])(
      "A2 are given up when their server %s",
      async (_title, answer) => {
        await withKeyServer(async (verifier, state) => {
          const closed: Promise<unknown>[] = [];
          state.answer = (res) => {
            closed.push(once(res, "close"));
            answer(res);
          };
          await expect(verifier(await known(), REQ)).rejects.toThrow();
          await closed[0];
          expect(state.fetched).toBe(1);
        });
      },
      20_000,
    );

    it("A2 make the verifier fail when nobody answers", async () => {
      let gone = "";
      await withKeyServer((_verifier, _state, url) => Promise.resolve(void (gone = url)));
      await expect(verify(await sign(rsa), { keys: gone })).rejects.toThrow();
    });
  });

  describe.each(EXPRESS_VERSIONS)("with authenticate on %s", (_version, express) => {
    function createApp(options: Partial<JwtVerifierOptions> = {}) {
      const app = express();
      const Bearer = jwtVerifier({ issuer: ISSUER, audience: AUDIENCE, keys, ...options });
      app.use(authenticate({ schemes: { Bearer }, scopes: ["users.read"] }));
      app.get("/", (req, res) => res.json(getPrincipal(req).subject));
      app.use(errorFormatter({ log: () => undefined }));
      return app;
    }

    async function get(token: string, options?: Partial<JwtVerifierOptions>) {
      return request(createApp(options)).get("/").set("Authorization", `Bearer ${token}`);
    }

    it("A1 answers a good token with 200, one without the scope with 403, a bad one with 401", async () => {
      expect(await get(await sign(rsa))).toMatchObject({ status: 200, body: "joe" });
      expect((await get(await sign(rsa, { scp: ["other"] }))).status).toBe(403);
      expect((await get(await sign(stranger))).status).toBe(401);
      expect((await get(await sign(rsa, { exp: inSeconds(-60) }))).status).toBe(401);
    });

    it("A2 answers 503 when the org has no keys that could be read", async () => {
      expect((await get(await sign(rsa), { keys: () => Promise.reject(new Error("down")) })).status).toBe(503);
    });
  });
});

describe("the options of jwtVerifier", () => {
  const REQUIRED: JwtVerifierOptions = { issuer: ISSUER, audience: AUDIENCE, keys: { keys: [] } };

  it.each([
    ["issuer", [undefined, "", 7, null, ["a"]]],
    ["audience", [undefined, "", 7, null, [], [""], [7]]],
    [
      "keys",
      [
        undefined,
        null,
        {},
        [],
        { keys: {} },
        { keys: [7] },
        { keys: [null] },
        "",
        "/keys",
        "http://acme.example.com/keys",
        "http://localhost.example.com/keys",
        "ftp://localhost/keys",
        "file:///etc/keys",
      ],
    ],
    ["algorithms", [[], ["none"], ["HS256"], ["RS256", "HS512"], ["rs256"], "RS256", ["RSA-OAEP"]]],
    ["clockTolerance", [-1, 301, 1.5, "30", NaN, null]],
    ["typ", ["", 7, null, [], [""], ["JWT", 7]]],
  ])("refuses for %s each of %j", (option, values) => {
    for (const value of values) {
      expect(() => jwtVerifier({ ...REQUIRED, [option]: value })).toThrow(
        new RegExp(`^jwtVerifier: option \`${option}\` must be `),
      );
    }
  });

  it.each([
    ["keys", "https://acme.example.com/keys"],
    ["keys", "http://localhost:8080/keys"],
    ["keys", "http://[::1]/keys"],
    ["algorithms", ["Ed25519", "ES512"]],
    ["clockTolerance", 0],
    ["clockTolerance", 300],
    ["typ", "at+jwt"],
    ["typ", ["at+jwt", "JWT"]],
  ])("takes for %s %j", (option, value) => {
    expect(() => jwtVerifier({ ...REQUIRED, [option]: value })).not.toThrow();
  });
});
