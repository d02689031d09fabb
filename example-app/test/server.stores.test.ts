import type { Settings } from "../src/program/settings/settings.js";
import { call, importDocument, startTestServer, webfingerPath, type TestServer } from "./support/server.js";
import { describeStores, type TestDatabase } from "./support/stores.js";
import { startTcpProxy } from "./support/tcp-proxy.js";
import { until } from "../../test/support/until.js";
import { exchange as exchangeText } from "../../test/support/raw-socket.js";

const JOE = webfingerPath("joe@example.com");

const SSO = { sso: { url: "https://idp.example/sso", binding: "HTTP-POST" } };

/** An org whose rule sends everyone at example.com to the provider. */
function orgDocument(subdomain: string, provider: string, domains: string[] = []): object {
  return {
    subdomain,
    name: subdomain,
    domains,
    idps: [
      { name: "First", type: "SAML2", protocol: { type: "SAML2", endpoints: SSO } },
      { name: "Second", type: "SAML2", protocol: { type: "SAML2", endpoints: SSO } },
    ],
    rules: [
      {
        name: "example",
        conditions: {
          userIdentifier: { type: "IDENTIFIER", patterns: [{ matchType: "SUFFIX", value: "example.com" }] },
        },
        actions: { idp: { providers: [{ idp: provider }] } },
      },
    ],
  };
}

async function titleOf(server: TestServer, host: string): Promise<string> {
  const { body } = await call(server, JOE, { headers: { Host: host } });
  return body.links?.[0].titles.und ?? body.errorCode;
}

/** Ask until the answer is `expected`. It takes a second on a quiet machine. */
async function expectEventually(ask: () => Promise<unknown>, expected: unknown): Promise<void> {
  await until(async () => (await ask()) === expected);
}

/** Writes `text` to the server as it stands; all that it answers until the connection is closed. */
const exchange = ({ port, ca }: TestServer, text: string) => exchangeText(port, text, { tls: ca !== undefined });

describeStores((engine, database) => {
  const started: TestServer[] = [];
  afterEach(async () => {
    for (const server of started.splice(0)) await server.close();
  });

  async function start(
    overrides: Partial<Settings> = {},
    document?: unknown,
    data: Promise<Pick<TestDatabase, "options">> = database(),
  ): Promise<TestServer> {
    const server = await startTestServer(await data, overrides, document);
    started.push(server);
    return server;
  }

  describe("the tenants of a server", () => {
    const document = { orgs: [orgDocument("demo", "First"), orgDocument("acme", "Second", ["login.acme.example"])] };

    it("finds the org by subdomain, custom domain, base domain and loopback address, in any case and at any port", async () => {
      const server = await start({}, document);
      for (const host of ["localhost", "LOCALHOST:1", "demo.localhost.", "127.0.0.1", "127.0.0.1:8443", "[::1]:8443"]) {
        expect([host, await titleOf(server, host)]).toEqual([host, "First"]);
      }
      for (const host of ["acme.localhost", "Acme.Localhost:8443", "LOGIN.acme.example"]) {
        expect([host, await titleOf(server, host)]).toEqual([host, "Second"]);
      }
    });

    it("answers 404 with the error object to an unknown host", async () => {
      const server = await start({}, document);
      const { status, body, headers } = await call(server, JOE, { headers: { Host: "Nobody.localhost:8443" } });
      expect(status).toBe(404);
      expect(body).toEqual({
        errorCode: "E0000007",
        errorSummary: "Not found: Resource not found: nobody.localhost (Org)",
        errorLink: "E0000007",
        errorId: headers["x-svc-request-id"],
        errorCauses: [],
      });
    });

    it("S2 emits URLs of the org's record, whatever the Host", async () => {
      const server = await start({}, document);
      const hrefOf = async (host: string) => (await call(server, JOE, { headers: { Host: host } })).body.links[0].href;
      const demo = new RegExp(`^https://localhost:${server.port}/sso/idps/`);
      for (const host of ["localhost", "localhost:1", "127.0.0.1", "DEMO.localhost.:99"]) {
        expect(await hrefOf(host)).toMatch(demo);
      }
      expect(await hrefOf("acme.localhost")).toMatch(new RegExp(`^https://login\\.acme\\.example:${server.port}/`));
    });

    it("S2 gives the org that --default-org names the base domain, also one with a domain of its own", async () => {
      const server = await start({ defaultOrg: "acme" }, document);
      const linkOf = async (host: string) => {
        const { body } = await call(server, JOE, { headers: { Host: host } });
        return String(body.links[0].href).split("/sso/")[0];
      };
      for (const host of ["localhost", "127.0.0.1", "acme.localhost", "login.acme.example"]) {
        expect([host, await linkOf(host)]).toEqual([host, `https://localhost:${server.port}`]);
      }
      expect(await linkOf("demo.localhost")).toBe(`https://demo.localhost:${server.port}`);
    });

    it("answers 404 on the base domain when there is no org demo and no other is the default", async () => {
      const server = await start({}, { orgs: [orgDocument("acme", "Second")] });
      for (const host of ["localhost", "127.0.0.1", "demo.localhost"]) {
        expect([host, await titleOf(server, host)]).toEqual([host, "E0000007"]);
      }
      expect(await titleOf(server, "acme.localhost")).toBe("Second");
    });

    it.each([
      "evil.example",
      "localhost@evil.example",
      "localhost/evil",
      "demo.localhost\\evil",
      "evil.example, localhost",
    ])("S2 emits nothing of the hostile Host %j", async (host) => {
      const server = await start({}, document);
      const answer = await exchange(server, `GET ${JOE} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
      expect(answer).toMatch(/\r\nX-Svc-Request-Id: [0-9a-f-]{36}\r\n/);
      expect(answer).not.toContain("href");
    });

    it("S2 takes the port of the base domain for that of the URLs", async () => {
      const data = database();
      const server = await start({ baseDomain: "idp.example", publicPort: 443 }, document, data);
      const { body } = await call(server, JOE, { headers: { Host: "idp.example" } });
      expect(body.links[0].href).toMatch(/^https:\/\/idp\.example\/sso\/idps\//);
      expect(await titleOf(server, "localhost")).toBe("E0000007");
    });
  });

  describe("a change of the rules", () => {
    it("is used at once by the server that made it and within a second by another on the same database", async () => {
      const data = await database();
      const document = { orgs: [orgDocument("demo", "First")] };
      const one = await start({}, document, Promise.resolve(data));
      const other = await start({}, undefined, Promise.resolve(data));
      for (const server of [one, other]) expect(await titleOf(server, "localhost")).toBe("First");
      await importDocument(data.options, { orgs: [orgDocument("demo", "Second")] });
      for (const server of [one, other]) await expectEventually(() => titleOf(server, "localhost"), "Second");
    });

    it("of the orgs is used too: a new one, a new domain", async () => {
      const data = await database();
      const server = await start({}, undefined, Promise.resolve(data));
      expect(await titleOf(server, "acme.localhost")).toBe("E0000007");
      expect(await titleOf(server, "login.acme.example")).toBe("E0000007");
      await importDocument(data.options, { orgs: [orgDocument("acme", "First", ["login.acme.example"])] });
      await expectEventually(() => titleOf(server, "acme.localhost"), "First");
      await expectEventually(() => titleOf(server, "login.acme.example"), "First");
    });
  });

  describe("a second start", () => {
    it("has the same data and the same certificate", async () => {
      const data = await database();
      const first = await start({ tlsFiles: undefined }, undefined, Promise.resolve(data));
      const { body } = await call(first, JOE);
      await started.pop()?.close();
      const second = await start({ tlsFiles: undefined }, undefined, Promise.resolve(data));
      expect(second.ca).toBe(first.ca);
      const again = await call(second, JOE);
      expect(again.body.links[0].properties["svc:idp:id"]).toBe(body.links[0].properties["svc:idp:id"]);
    });
  });

  if (engine === "PostgreSQL") {
    describe("a database that is gone", () => {
      it("is answered 503 with Retry-After, and the server recovers", async () => {
        const { options } = await database();
        const url = new URL(options.databaseUrl!);
        const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
        const databaseUrl = Object.assign(url, { hostname: "127.0.0.1", port: String(proxy.port) }).href;
        const server = await start({}, undefined, Promise.resolve({ options: { ...options, databaseUrl } }));
        // a host that is not in memory
        const askStore = () => call(server, JOE, { headers: { Host: `host${Math.random()}.localhost` } });

        await proxy.cut();
        const { status, body, headers, text } = await askStore();
        expect(status).toBe(503);
        expect(headers["retry-after"]).toBe("5");
        expect(body).toMatchObject({ errorCode: "E0009011", errorId: headers["x-svc-request-id"], errorCauses: [] });
        expect(text).not.toMatch(/ECONN|127\.0\.0\.1/);
        expect(server.lines.find(({ requestId }) => requestId === body.errorId)).toMatchObject({
          level: "error",
          status: 503,
          err: {
            type: "ServiceUnavailableError",
            stack: expect.stringContaining("at unavailableMiddleware"),
            cause: { message: expect.any(String) },
          },
        });

        await proxy.restore();
        await expectEventually(async () => (await askStore()).status, 404);
        expect((await call(server, JOE)).status).toBe(200);
        await started.pop()?.close();
        await proxy.cut();
      });
    });
  }
});
