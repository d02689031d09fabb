import { InMemoryWebStorage, OidcClient, WebStorageStateStore } from "oidc-client-ts";
import * as client from "openid-client";
import { CALLBACK, signIn, startProvider } from "../support/openid-sign-in.js";
import { call, startTestServer, type TestServer } from "../support/server.js";
import { makeFolder } from "../support/stores.js";

const ISSUER_REL = "http://openid.net/specs/connect/1.0/issuer";

describe("WebFinger with --issuer-href provider", () => {
  const dataFolder = makeFolder();
  let provider: Awaited<ReturnType<typeof startProvider>>;
  let server: TestServer;

  beforeAll(async () => {
    provider = await startProvider();
    const { issuer } = provider;
    const endpoints = { sso: { url: `${issuer}/auth`, binding: "HTTP-REDIRECT" } };
    const protocol = { type: "OIDC", endpoints, credentials: { trust: { issuer }, client: { clientId: "app" } } };
    const conditions = {
      userIdentifier: { type: "IDENTIFIER", patterns: [{ matchType: "SUFFIX", value: "example.com" }] },
    };
    const rules = [{ name: "op", conditions, actions: { idp: { providers: [{ idp: "OP" }] } } }];
    const orgs = [{ subdomain: "demo", name: "Demo", idps: [{ name: "OP", type: "OIDC", protocol }], rules }];
    server = await startTestServer({ options: { dataFolder } }, { issuerHref: "provider" }, { orgs });
  });
  afterAll(async () => {
    await server.close();
    provider.child.kill();
  });

  /** OpenID Connect Discovery 1.0 section 2. None of the clients has this step: it is theirs to be given the issuer. */
  async function discoverIssuer(): Promise<string> {
    const query = new URLSearchParams({ resource: "acct:joe@example.com", rel: ISSUER_REL });
    const { body } = await call(server, `/.well-known/webfinger?${query.toString()}`);
    expect(body.links).toHaveLength(1);
    expect(body.links[0].rel).toBe(ISSUER_REL);
    return body.links[0].href as string;
  }

  it("W3 openid-client goes on from the issuer, and signs in", async () => {
    const config = await client.discovery(new URL(await discoverIssuer()), "app", undefined, client.None(), {
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- the provider of this test is on the loopback
      execute: [client.allowInsecureRequests],
    });
    expect(config.serverMetadata().issuer).toBe(provider.issuer);
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: "openid",
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
      login_hint: "joe@example.com",
    });
    const tokens = await client.authorizationCodeGrant(config, await signIn(address), { pkceCodeVerifier });
    expect(tokens.claims()).toMatchObject({ iss: provider.issuer, sub: "joe", aud: "app" });
  });

  it("W3 oidc-client-ts goes on from the issuer, and signs in", async () => {
    const stateStore = new WebStorageStateStore({ store: new InMemoryWebStorage() });
    const options = { authority: await discoverIssuer(), client_id: "app", redirect_uri: CALLBACK, stateStore };
    const oidc = new OidcClient(options);
    expect(await oidc.metadataService.getIssuer()).toBe(provider.issuer);
    const { url } = await oidc.createSigninRequest({ login_hint: "joe@example.com" });
    const { profile } = await oidc.processSigninResponse((await signIn(new URL(url))).href);
    expect(profile).toMatchObject({ iss: provider.issuer, sub: "joe", aud: "app" });
  });

  it("W3 a request as Tailscale sends it leads to the configuration that names the same issuer", async () => {
    const query = `rel=${encodeURIComponent(ISSUER_REL)}&resource=acct%3Ajoe%40example.com`;
    const { status, headers, body } = await call(server, `/.well-known/webfinger?${query}`, {
      headers: { "User-Agent": "Go-http-client/2.0", "Accept-Encoding": "gzip" },
    });
    expect([status, headers["content-type"]]).toEqual([200, "application/jrd+json"]);
    expect(body.subject).toBe("acct:joe@example.com");
    const { href } = (body.links as { rel: string; href: string }[]).find(({ rel }) => rel === ISSUER_REL)!;
    const configuration = await fetch(`${href}/.well-known/openid-configuration`);
    expect(await configuration.json()).toMatchObject({ issuer: href, token_endpoint: `${href}/token` });
  });
});
