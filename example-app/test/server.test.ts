import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import tls from "node:tls";
import { promisify } from "node:util";
import { generateCertificate } from "../src/program/certificate.js";
import type { Settings } from "../src/program/settings.js";
import { call, importDocument, startTestServer, webfingerPath, type TestServer } from "./support/server.js";
import { describeStores, makeFolder, type TestDatabase } from "./support/stores.js";
import { startTcpProxy } from "./support/tcp-proxy.js";
import { until } from "../../test/support/until.js";

const CLIENT = join(__dirname, "support/webfinger-client.js");

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

/** Write `text` to the server as it stands; all that it answers until the connection is closed. */
async function exchange({ port, ca }: TestServer, text: string): Promise<string> {
  const socket =
    ca === undefined
      ? net.connect(port, "127.0.0.1")
      : tls.connect({ port, host: "127.0.0.1", ca, servername: "localhost" });
  socket.write(text);
  let answer = "";
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

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
      const first = await start({}, undefined, Promise.resolve(data));
      const { body } = await call(first, JOE);
      await started.pop()?.close();
      const second = await start({}, undefined, Promise.resolve(data));
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

describe("a server", () => {
  const folder = makeFolder();
  let server: TestServer;

  async function start(overrides: Partial<Settings> = {}): Promise<void> {
    server = await startTestServer({ options: { dataFolder: folder } }, overrides);
  }
  afterEach(() => server.close());

  it("E1 D1 answers every failure with the error object and its id", async () => {
    await start();
    const failures: [string, Parameters<typeof call>[2], number, string][] = [
      ["/", {}, 404, "E0000008"],
      ["/api/v1/users", {}, 401, "E0000011"],
      ["/api/v1/persons", {}, 404, "E0000008"],
      ["/.well-known/webfinger", {}, 400, "E0000028"],
      [JOE, { method: "POST", headers: { "Content-Length": "0" } }, 405, "E0000022"],
      ["/api", { headers: { Accept: "application/hal+json" } }, 406, "E0000122"],
      [JOE, { headers: { "Content-Type": "application/hal+json" } }, 415, "E0000021"],
    ];
    for (const [path, options, expected, code] of failures) {
      const { status, body, headers } = await call(server, path, options);
      expect([path, status, body.errorCode, body.errorLink]).toEqual([path, expected, code, code]);
      expect(body.errorId).toBe(headers["x-svc-request-id"]);
      expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    }
  });

  it("E5 answers what never reaches the app with the error object, and logs it", async () => {
    await start();
    const answer = await exchange(server, "NONSENSE\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    const { errorId } = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")));
    expect(answer).toContain(`X-Svc-Request-Id: ${errorId}\r\n`);
    expect(server.lines).toContainEqual(expect.objectContaining({ requestId: errorId, status: 400 }));
  });

  it("S1 answers HTTPS with HSTS, and plain HTTP on the same port with the error object", async () => {
    await start();
    const { headers } = await call(server, JOE, { headers: { Host: "api.example.com" } });
    expect(headers["strict-transport-security"]).toMatch(/^max-age=\d+/);
    expect((await call(server, JOE)).headers).not.toHaveProperty("strict-transport-security");
    const answer = await exchange({ ...server, ca: undefined }, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 403 [^]*"errorCode":"E0000006"/);
  });

  it("O4 lets every origin read answers and errors", async () => {
    await start();
    for (const [path, host] of [
      [JOE, "localhost"],
      ["/.well-known/webfinger", "localhost"],
      [JOE, "nobody.localhost"],
    ]) {
      const { headers } = await call(server, path!, { headers: { Host: host!, Origin: "https://app.example" } });
      expect(headers["access-control-allow-origin"]).toBe("*");
    }
    const { headers } = await call(server, "/", { headers: { Origin: "https://app.example" } });
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  });

  it("writes one line for each request, without query and secrets", async () => {
    await start();
    const { headers } = await call(server, `${JOE}&rel=secret-rel`, {
      headers: { Authorization: "SVC secret-token", Cookie: "secret-cookie", "X-Device-Fingerprint": "secret-print" },
    });
    await call(server, "/nothing?secret-value");
    expect(server.lines).toEqual([
      expect.objectContaining({
        level: "info",
        requestId: headers["x-svc-request-id"],
        method: "GET",
        path: "/.well-known/webfinger",
        status: 200,
        durationMs: expect.any(Number),
        clientIp: "127.0.0.1",
        org: "demo",
      }),
      expect.objectContaining({ path: "/nothing", status: 404 }),
    ]);
    const text = JSON.stringify(server.lines);
    expect(text).not.toContain("secret");
    expect(text).not.toContain("joe");
  });

  it("answers an independent client over the loopback", async () => {
    await start();
    const addresses = ["joe+tag", "sam"].map((name) => `${name}@127.0.0.1:${server.port}`);
    const { stdout } = await promisify(execFile)(process.execPath, [CLIENT, ...addresses], {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, "tls.crt") },
    });
    const documents = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(documents.map(({ subject }) => subject)).toEqual(addresses.map((address) => `acct:${address}`));
    for (const { links } of documents) {
      expect(links).toMatchObject([{ href: `https://localhost:${server.port}/sso/idps/SVC` }]);
    }
  });

  it("shows the certificate that was given", async () => {
    const { cert, key, trustFile = "" } = await generateCertificate(join(folder, "other"), ["localhost"]);
    const tlsFiles = { cert: join(folder, "given.crt"), key: join(folder, "given.key") };
    writeFileSync(tlsFiles.cert, cert);
    writeFileSync(tlsFiles.key, key);
    await start({ tlsFiles });
    expect((await call({ ...server, ca: readFileSync(trustFile, "utf8") }, JOE)).status).toBe(200);
    expect(server.example).not.toContain("--cacert");
  });

  it("D1 gives concurrent requests ids of their own", async () => {
    await start();
    const answers = await Promise.all(Array.from({ length: 50 }, () => call(server, JOE)));
    expect(new Set(answers.map(({ headers }) => headers["x-svc-request-id"])).size).toBe(50);
  });
});

describe("a server behind a proxy that terminates TLS", () => {
  const folder = makeFolder();
  let server: TestServer;
  beforeAll(async () => {
    const settings = { http: true, trustedProxies: ["loopback"], baseDomain: "idp.example" };
    server = await startTestServer({ options: { dataFolder: folder } }, settings);
  });
  afterAll(() => server.close());

  const Host = "idp.example";

  it("S1 answers what came over HTTPS, with URLs that have no port", async () => {
    expect(server.url).toMatch(/^http:/);
    const { status, body } = await call(server, JOE, { headers: { Host, "X-Forwarded-Proto": "http, https" } });
    expect(status).toBe(200);
    expect(body.links[0].href).toMatch(/^https:\/\/idp\.example\/sso/);
  });

  it.each([
    {},
    { "X-Forwarded-Proto": "http" },
    { "X-Forwarded-Proto": "https, http" },
    { "X-Forwarded-Proto": "on" },
    { Host: "localhost" },
    { Host: "127.0.0.1" },
  ])("S1 O4 refuses %j, which every origin may read", async (sent) => {
    const { status, body, headers } = await call(server, JOE, { headers: { Host, ...sent } });
    expect([status, body.errorCode]).toEqual([403, "E0000006"]);
    expect(headers["access-control-allow-origin"]).toBe("*");
  });

  it("C3 logs the client that the proxy reports", async () => {
    await call(server, JOE, {
      headers: { Host, "X-Forwarded-Proto": "https", "X-Forwarded-For": "198.51.100.66, 203.0.113.9" },
    });
    expect(server.lines.at(-1)).toMatchObject({ clientIp: "203.0.113.9" });
  });

  it("S1 does not believe a proxy that is not trusted", async () => {
    const other = await startTestServer(
      { options: { dataFolder: folder } },
      { http: true, trustedProxies: ["192.0.2.1"] },
    );
    try {
      const { status } = await call(other, JOE, { headers: { "X-Forwarded-Proto": "https" } });
      expect(status).toBe(403);
    } finally {
      await other.close();
    }
  });
});

describe("startServer()", () => {
  const folder = makeFolder();

  it("says in one line that the port is in use, and leaves nothing open", async () => {
    const taken = net.createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as net.AddressInfo;
    await expect(startTestServer({ options: { dataFolder: folder } }, { port })).rejects.toMatchObject({
      name: "ListenError",
      message: `Port ${port} on 127.0.0.1 is in use: stop what listens there or choose another with --port`,
    });
    taken.close();
  });

  it("says in one line that the address is not of this machine", async () => {
    await expect(startTestServer({ options: { dataFolder: folder } }, { host: "192.0.2.1" })).rejects.toMatchObject({
      name: "ListenError",
      message: "192.0.2.1 is no address of this machine: choose another with --host",
    });
  });
});
