import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "node:tls";
import { listNames, MAX_HOSTS } from "../../../src/program/secrets/org-certificate.js";
import { importDocument, startTestServer, type TestServer } from "../../support/server.js";
import { createOrg, describeStores, type TestDatabase } from "../../support/stores.js";
import { until } from "../../../../test/support/until.js";

const ACME = { orgs: [{ subdomain: "acme", name: "Acme", domains: ["id.acme.example"] }] };
const ACME_HOSTS = ["acme.localhost", "id.acme.example"];

describeStores((_engine, database) => {
  let data: TestDatabase;
  let servers: TestServer[];
  beforeEach(async () => {
    data = await database();
    servers = [];
  });
  afterEach(async () => {
    for (const { close } of servers) await close();
  });

  async function start(): Promise<TestServer> {
    const server = await startTestServer(data, { tlsFiles: undefined });
    servers.push(server);
    return server;
  }

  /** The error of a client that trusts `ca`, or "trusted". */
  async function handshake({ port }: TestServer, host: string, ca = servers[0]?.ca): Promise<string> {
    const opened = connect({ port, host: "127.0.0.1", servername: host, ca });
    try {
      await once(opened, "secureConnect");
      return "trusted";
    } catch (error) {
      return String((error as NodeJS.ErrnoException).code);
    } finally {
      opened.destroy();
    }
  }

  it("covers a new org at once in every running server, for clients and connections that are there already", async () => {
    const [first, second] = [await start(), await start()];
    for (const host of ACME_HOSTS) expect(await handshake(first, host)).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
    const old = connect({ port: first.port, host: "127.0.0.1", servername: "localhost", ca: first.ca });
    await once(old, "secureConnect");

    await importDocument(data.options, ACME);
    for (const server of [first, second]) {
      for (const host of ACME_HOSTS) await until(async () => (await handshake(server, host)) === "trusted");
      for (const host of ["demo.localhost", "localhost"]) {
        expect(await handshake(server, host)).toBe("trusted");
      }
    }
    old.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(String((await once(old, "data"))[0])).toMatch(/^HTTP\/1\.1 404 /);
    old.destroy();
  });

  it("covers the orgs that were there before the start, and keeps the certificate at other changes", async () => {
    await importDocument(data.options, ACME);
    const server = await start();
    for (const host of ACME_HOSTS) expect(await handshake(server, host)).toBe("trusted");
    const before = await serialOf(server);
    await importDocument(data.options, { orgs: [{ ...ACME.orgs[0], name: "Other" }] });
    await sleep(1_000);
    expect(await serialOf(server)).toBe(before);
  });

  async function serialOf({ port, ca }: TestServer): Promise<string> {
    const opened = connect({ port, host: "127.0.0.1", servername: "localhost", ca });
    await once(opened, "secureConnect");
    const { serialNumber } = opened.getPeerCertificate();
    opened.destroy();
    return serialNumber;
  }

  it(`covers ${MAX_HOSTS} hosts, those of the oldest orgs`, async () => {
    let time = Date.parse("2026-01-01T00:00:00.000Z");
    const store = await data.open({ clock: () => new Date((time += 1_000)) });
    const covered = async () => (await listNames(store, "localhost")).filter((name) => /^o\d/.test(name));
    for (let i = 1; i < MAX_HOSTS; i++) await createOrg(store, { subdomain: `o${i}`, name: `o${i}` });
    expect(await covered()).toHaveLength(MAX_HOSTS - 1);
    await createOrg(store, { subdomain: "o200", name: "o200" });
    expect((await covered()).at(-1)).toBe("o200.localhost");
    await createOrg(store, { subdomain: "o201", name: "o201" });
    expect((await covered()).at(-1)).toBe("o200.localhost");
  });

  it("names no subdomains that the wildcard covers", async () => {
    const store = await data.open();
    await createOrg(store, { subdomain: "acme", name: "Acme", domains: ["id.acme.example"] });
    expect(await listNames(store, "idp.example")).toEqual([
      "idp.example",
      "*.idp.example",
      "demo.idp.example",
      "localhost",
      "id.acme.example",
    ]);
  });
});
