import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { generateCertificate } from "../src/program/secrets/certificate.js";
import type { Settings } from "../src/program/settings/settings.js";
import { call, startTestServer, webfingerPath, type TestServer } from "./support/server.js";
import { makeFolder } from "./support/stores.js";
import { exchange as exchangeText } from "../../test/support/raw-socket.js";

const CLIENT = join(__dirname, "support/webfinger-client.js");

const JOE = webfingerPath("joe@example.com");

/** Writes `text` to the server as it stands; all that it answers until the connection is closed. */
const exchange = ({ port, ca }: TestServer, text: string) => exchangeText(port, text, { tls: ca !== undefined });

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
