import { createHash, generateKeyPairSync, type webcrypto } from "node:crypto";
import * as oauth from "oauth4webapi";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT, type JWK } from "jose";
import { call, startTestServer, TEST_NODES, type Answer, type TestServer } from "../support/server.js";
import { describeStores } from "../support/stores.js";

const ISSUER = "https://login.example.com";
const AUDIENCE = "https://demo.example.com/api";
const PATH = "/api/v1/trustedOrigins";

const issuerKeys = generateKeyPairSync("ed25519");
const keys = { keys: [{ ...issuerKeys.publicKey.export({ format: "jwk" }), kid: "1" }] };

interface Client {
  readonly jwk: JWK;
  readonly privateKey: webcrypto.CryptoKey;
}

async function createClientKey(): Promise<Client> {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  return { jwk: await exportJWK(publicKey), privateKey };
}

/** An access token, bound to the key of `client` if there is one. */
async function tokenFor(client?: Client): Promise<string> {
  const cnf = client && { jkt: await calculateJwkThumbprint(client.jwk) };
  return new SignJWT({ scope: "svc.trustedOrigins.read", ...(cnf && { cnf }) })
    .setProtectedHeader({ alg: "EdDSA", kid: "1", typ: "at+jwt" })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject("joe")
    .setExpirationTime("1m")
    .sign(issuerKeys.privateKey);
}

describeStores((_engine, database) => {
  let server: TestServer;

  beforeEach(async () => {
    const orgs = ["demo", "other"].map((subdomain) => ({
      subdomain,
      name: subdomain,
      issuers: [{ issuer: ISSUER, audience: AUDIENCE, keys }],
    }));
    server = await startTestServer(await database(), {}, { orgs });
  });
  afterEach(() => server.close());

  const hostOf = (subdomain: string) => (subdomain === "demo" ? "localhost" : `${subdomain}.localhost`);

  function proofFor(token: string, client: Client, claims: object = {}): Promise<string> {
    return new SignJWT({
      htm: "GET",
      htu: `https://localhost:${server.port}${PATH}`,
      jti: crypto.randomUUID(),
      ath: createHash("sha256").update(token).digest("base64url"),
      ...claims,
    })
      .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk: client.jwk })
      .setIssuedAt()
      .sign(client.privateKey);
  }

  function send(authorization: string, proof?: string, subdomain = "demo"): Promise<Answer> {
    const headers = {
      Host: `${hostOf(subdomain)}:${server.port}`,
      Authorization: authorization,
      ...(proof !== undefined && { DPoP: proof }),
    };
    return call(server, PATH, { headers });
  }

  test("A6 a bound token counts with a proof of its key, once, on every node and in its own org", async () => {
    const client = await createClientKey();
    const token = await tokenFor(client);
    const proof = await proofFor(token, client);
    expect((await send(`DPoP ${token}`, proof)).status).toBe(200);
    for (let node = 0; node < 2 * TEST_NODES; node++) {
      const again = await send(`DPoP ${token}`, proof);
      expect([again.status, again.headers["www-authenticate"]]).toEqual([
        401,
        expect.stringMatching(
          /, DPoP realm="svc", error="invalid_dpop_proof", .*algs="ES256 EdDSA Ed25519 PS256 RS256"/,
        ),
      ]);
      expect(again.text).toContain("The proof was used before");
    }
    expect((await send(`DPoP ${token}`, await proofFor(token, client))).status).toBe(200);

    const elsewhere = await send(`DPoP ${token}`, await proofFor(token, client), "other");
    expect([elsewhere.status, elsewhere.text]).toEqual([401, expect.stringContaining("htu is not the URL")]);
  });

  test("A6 a bound token is refused without a proof, with another key's, and as a bearer token", async () => {
    const [client, thief] = [await createClientKey(), await createClientKey()];
    const [bound, bearer] = [await tokenFor(client), await tokenFor()];
    const refused: [string, string | undefined][] = [
      [`DPoP ${bound}`, undefined],
      [`DPoP ${bound}`, await proofFor(bound, thief)],
      [`DPoP ${bound}`, await proofFor(bound, client, { htm: "POST" })],
      [`DPoP ${bearer}`, await proofFor(bearer, client)],
      [`Bearer ${bound}`, undefined],
      [`Bearer ${bound}`, await proofFor(bound, client)],
    ];
    for (const [authorization, proof] of refused) {
      expect(await send(authorization, proof)).toMatchObject({ status: 401, body: { errorCode: "E0000011" } });
    }
    expect((await send(`Bearer ${bearer}`)).status).toBe(200);
  });

  test("A6 of two requests with one proof at once, one is carried out", async () => {
    const client = await createClientKey();
    const token = await tokenFor(client);
    const proof = await proofFor(token, client);
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(`DPoP ${token}`, proof)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(7).fill(401)]);
  });

  test("A5 A6 a client finds in the metadata that it may bind its tokens, and does", async () => {
    const resource = new URL(`https://localhost:${server.port}/api`);
    const fetchHere = async (
      target: string,
      { method, headers }: { method: string; headers: Record<string, string> },
    ) => {
      const { pathname, host } = new URL(target);
      const sent = { ...Object.fromEntries(new Headers(headers)), host };
      const answer = await call(server, pathname, { method, headers: sent });
      return new Response(answer.text, { status: answer.status, headers: answer.headers as Record<string, string> });
    };
    const options = { [oauth.customFetch]: fetchHere as never };
    const asked = await oauth.resourceDiscoveryRequest(resource, options);
    const metadata = await oauth.processResourceDiscoveryResponse(resource, asked);
    expect(metadata.dpop_signing_alg_values_supported).toContain("ES256");

    const pair = await oauth.generateKeyPair("ES256", { extractable: true });
    const client = { jwk: await exportJWK(pair.publicKey), privateKey: pair.privateKey };
    const answer = await oauth.protectedResourceRequest(
      await tokenFor(client),
      "GET",
      new URL(`https://localhost:${server.port}${PATH}`),
      undefined,
      undefined,
      { ...options, DPoP: oauth.DPoP({}, pair) },
    );
    expect(answer.status).toBe(200);
  });
});
