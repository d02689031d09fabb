import { once } from "node:events";
import { connect, type ConnectionOptions } from "node:tls";
import { importDocument, startTestServer, type TestServer } from "./support/server.js";
import { describeStores } from "./support/stores.js";
import { until } from "../../test/support/until.js";

const AEAD = ["ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305"];

/** The suites among OpenSSL's defaults that use CBC, with the key exchange that the certificate allows. */
const CBC = [
  "ECDHE-ECDSA-AES128-SHA256",
  "ECDHE-ECDSA-AES256-SHA384",
  "ECDHE-ECDSA-AES128-SHA",
  "ECDHE-ECDSA-AES256-SHA",
];

const TLS_13 = ["TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_128_GCM_SHA256"];

describeStores((_engine, database) => {
  /** The suite that server and client agree on, or the code of the error. */
  async function negotiate({ port, ca }: TestServer, options: ConnectionOptions): Promise<string> {
    const socket = connect({ port, host: "127.0.0.1", servername: "localhost", ca, ...options });
    try {
      await once(socket, "secureConnect");
      return socket.getCipher().name;
    } catch (error) {
      return String((error as NodeJS.ErrnoException).code);
    } finally {
      socket.destroy();
    }
  }

  async function check(server: TestServer): Promise<void> {
    for (const ciphers of AEAD) expect(await negotiate(server, { ciphers, maxVersion: "TLSv1.2" })).toBe(ciphers);
    for (const ciphers of TLS_13) expect(await negotiate(server, { ciphers, minVersion: "TLSv1.3" })).toBe(ciphers);
    for (const ciphers of CBC) {
      expect(await negotiate(server, { ciphers, maxVersion: "TLSv1.2" })).toMatch(/^(ERR_SSL_|ECONNRESET|EPROTO)/);
    }
  }

  it("S1 takes cipher suites that encrypt and authenticate in one step, and no other, also with a renewed certificate", async () => {
    const data = await database();
    const server = await startTestServer(data, { tlsFiles: undefined });
    try {
      await check(server);
      await importDocument(data.options, { orgs: [{ subdomain: "acme", name: "Acme", domains: ["id.acme.example"] }] });
      await until(async () => (await negotiate(server, { servername: "id.acme.example" })).startsWith("TLS_"));
      await check(server);
    } finally {
      await server.close();
    }
  });
});
