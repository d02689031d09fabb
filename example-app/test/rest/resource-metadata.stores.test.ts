import * as oauth from "oauth4webapi";
import { call, startTestServer, type TestServer } from "../support/server.js";
import { describeStores } from "../support/stores.js";

const ISSUER = "https://id.example.com/oauth2";
const PATH = "/.well-known/oauth-protected-resource/api";

const issuer = { issuer: ISSUER, audience: "api", keys: `${ISSUER}/keys` };

describeStores((_engine, database) => {
  let server: TestServer;

  async function start(settings: Parameters<typeof startTestServer>[1] = {}): Promise<void> {
    const orgs = [
      { subdomain: "demo", name: "demo", issuers: [issuer] },
      { subdomain: "acme", name: "acme" },
    ];
    server = await startTestServer(await database(), settings, { orgs });
  }
  afterEach(() => server.close());

  const at = (host: string, path: string) => call(server, path, { headers: { Host: `${host}:${server.port}` } });

  test("A5 a client that knows the API alone finds the authorization servers of its org", async () => {
    await start();
    const refused = await at("localhost", "/api/v1/users");
    const [, url = ""] = /resource_metadata="([^"]+)"/.exec(String(refused.headers["www-authenticate"])) ?? [];
    const resource = `https://localhost:${server.port}/api`;
    expect(url).toBe(`https://localhost:${server.port}${PATH}`);

    const fetchHere = async (target: string) => {
      const { pathname, host } = new URL(target);
      const { status, headers, text } = await call(server, pathname, { headers: { Host: host } });
      return new Response(text, { status, headers: { "Content-Type": String(headers["content-type"]) } });
    };
    const asked = await oauth.resourceDiscoveryRequest(new URL(resource), { [oauth.customFetch]: fetchHere });
    const metadata = await oauth.processResourceDiscoveryResponse(new URL(resource), asked);
    expect(metadata).toMatchObject({ resource, authorization_servers: [ISSUER], bearer_methods_supported: ["header"] });
    expect(metadata.scopes_supported).toEqual(expect.arrayContaining(["svc.users.read", "svc.logs.manage"]));
  });

  test("A5 each org has metadata of its own, for pages too", async () => {
    await start({ namespace: "acme" });
    const { status, body, headers } = await at("acme.localhost", PATH);
    expect([status, body.resource, body.authorization_servers]).toEqual([
      200,
      `https://acme.localhost:${server.port}/api`,
      undefined,
    ]);
    expect(body.scopes_supported).toContain("acme.users.read");
    expect(headers).toMatchObject({ "access-control-allow-origin": "*", "cache-control": "no-store" });
    expect((await at("nobody.localhost", PATH)).status).toBe(404);
    expect((await at("acme.localhost", "/.well-known/oauth-protected-resource")).status).toBe(404);
  });

  test("O5 security.txt is there where an address is set", async () => {
    await start({ securityContact: ["mailto:security@example.com"] });
    const { status, text, headers } = await at("acme.localhost", "/.well-known/security.txt");
    expect([status, headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(text).toMatch(/^Contact: mailto:security@example\.com\nExpires: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n$/);
    await server.close();
    await start();
    expect((await at("acme.localhost", "/.well-known/security.txt")).status).toBe(404);
  });
});
