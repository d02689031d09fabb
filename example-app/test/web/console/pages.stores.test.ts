import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import type { IncomingMessage } from "node:http";
import https from "node:https";
import { once } from "node:events";
import { startConsole, type ConsoleClient } from "../../support/console.js";
import { call } from "../../support/server.js";
import { describeStores } from "../../support/stores.js";

const INDEX =
  '<!doctype html><script>document.title = 1;</script><script type="module" src="/console/assets/main-1a2b.js"></script>';
const SCRIPT = "console.log(1)";

function build(): string {
  const folder = mkdtempSync(join(tmpdir(), "console-"));
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), INDEX);
  writeFileSync(join(folder, "secret.map"), "{}");
  for (const [suffix, compress] of [
    ["", (text: string) => text],
    [".br", brotliCompressSync],
    [".gz", gzipSync],
  ] as const) {
    writeFileSync(join(folder, `assets/main-1a2b.js${suffix}`), compress(SCRIPT));
  }
  return folder;
}

describeStores((_engine, database) => {
  let client: ConsoleClient;
  const start = async (consoleFolder = build()) => {
    client = await startConsole(await database(), { consoleFolder });
  };
  const get = (path: string, method = "GET") => call(client.server, path, { method, headers: { Accept: "text/html" } });
  afterEach(() => client.server.close());

  it("serves the index on every path that is no file, under a strict policy", async () => {
    await start();
    for (const path of ["/console", "/console/", "/console/rules/0abc?x=1", "/console/index.html", "/console/a.b/c"]) {
      const { status, headers, text } = await get(path);
      expect([path, status, text]).toEqual([path, 200, INDEX]);
      expect(headers).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-cache",
        "content-security-policy": expect.stringMatching(
          /^default-src 'none'; script-src 'self' [^;]+; style-src 'self'/,
        ),
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "cross-origin-opener-policy": "same-origin",
      });
      const policy = String(headers["content-security-policy"]);
      expect(policy).toContain("frame-ancestors 'none'");
      const hash = createHash("sha256").update("document.title = 1;").digest("base64");
      expect(/script-src ([^;]*)/.exec(policy)?.[1]).toBe(`'self' 'sha256-${hash}'`);
    }
  });

  it("serves files whose name has a hash for ever, and nothing else below assets", async () => {
    await start();
    const { status, headers, text } = await get("/console/assets/main-1a2b.js");
    expect([status, text]).toEqual([200, SCRIPT]);
    expect(headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
    });
    for (const path of [
      "x.js",
      "main-1a2b.js.br",
      "../index.html",
      "%2e%2e/index.html",
      "..%2findex.html",
      "../secret.map",
    ]) {
      expect([path, (await get(`/console/assets/${path}`)).status]).toEqual([path, 404]);
    }
    expect((await get("/console/secret.map")).text).toBe(INDEX);
  });

  it.each([
    ["br, gzip", "br", brotliDecompressSync],
    ["gzip", "gzip", gunzipSync],
    ["gzip;q=1, br;q=0.1", "gzip", gunzipSync],
    ["identity", undefined, (body: Buffer) => body],
    ["br;q=0, gzip;q=0", undefined, (body: Buffer) => body],
    ["*;q=0", undefined, (body: Buffer) => body],
  ])("compresses for Accept-Encoding: %s", async (accepted, encoding, decode) => {
    await start();
    const { port, ca } = client.server;
    const request = https.get({
      host: "127.0.0.1",
      port,
      path: "/console/assets/main-1a2b.js",
      headers: { Host: `localhost:${port}`, "Accept-Encoding": accepted },
      agent: false,
      ...(ca !== undefined && { ca, servername: "localhost" }),
    });
    const [response] = (await once(request, "response")) as [IncomingMessage];
    const body = Buffer.concat((await response.toArray()) as Buffer[]);
    expect(response.headers["content-encoding"]).toBe(encoding);
    expect(decode(body).toString()).toBe(SCRIPT);
    expect(response.headers["content-length"]).toBe(String(body.length));
  });

  it("takes only GET and HEAD", async () => {
    await start();
    const head = await get("/console", "HEAD");
    expect([head.status, head.text, head.headers["content-length"]]).toEqual([200, "", String(INDEX.length)]);
    for (const method of ["POST", "PUT", "DELETE"]) {
      const { status, headers } = await get("/console/rules", method);
      expect([method, status, headers.allow]).toEqual([method, 405, "GET, HEAD, OPTIONS"]);
    }
  });

  it("says how to build it when it is not built", async () => {
    await start(mkdtempSync(join(tmpdir(), "console-")));
    const { status, body } = await get("/console");
    expect([status, body.errorSummary]).toEqual([
      404,
      "Not found: The console is not built; npm run build:console builds it.",
    ]);
  });
});
