import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { Browser } from "playwright-core";
import {
  CHROMIUM,
  launchChromium,
  openChromiumPage,
  openJsdomPage,
  type JsdomPage,
  type Send,
} from "../../../test/support/pages.js";
import { listen } from "../../../test/support/raw-socket.js";
import { describeIf } from "../../../test/support/requirements.js";
import { startApi } from "../support/api.js";
import type { TestServer } from "../support/server.js";
import { describeStores } from "../support/stores.js";

/** The rules of CORS are tested in test/browser; here, that the server applies them to its org. */
function itServesPages(
  open: () => { server: TestServer; token: string; pageOf: (origin: string) => Promise<Send> },
): void {
  test("O1 O3 a page of a trusted origin uses the API, its errors included; another page reads nothing", async () => {
    const { server, token, pageOf } = open();
    const call = {
      url: `${server.url}/api/v1/policies?type=IDP_DISCOVERY`,
      method: "GET",
      headers: { Authorization: token },
    };
    const [trusted, denied] = [await pageOf("trusted"), await pageOf("denied")];

    const seen = await trusted(call);
    expect(seen).toMatchObject({ status: 200, link: expect.stringContaining('rel="self"') });
    expect(JSON.parse((seen as { body: string }).body)).toMatchObject([{ type: "IDP_DISCOVERY" }]);
    expect(await trusted({ ...call, headers: { Authorization: "SVC unknown" } })).toMatchObject({
      status: 401,
      body: expect.stringContaining("E0000011"),
    });
    expect(await trusted({ ...call, url: `${call.url}&q=%FF` })).toMatchObject({
      status: 400,
      body: expect.stringContaining("E0009000"),
    });
    expect(await trusted({ ...call, headers: { "X-Other": "1" } })).toBe("blocked");
    expect(await trusted({ ...call, url: `${server.url}/api/v1/apiTokens` })).toBe("blocked");
    expect(await denied(call)).toBe("blocked");
    expect(await denied({ ...call, headers: {} })).toBe("blocked");
  });
}

describeStores((_engine, database) => {
  const origins: Record<string, string> = {};
  const servers: Server[] = [];
  let server: TestServer;
  let token: string;

  beforeAll(async () => {
    for (const name of ["trusted", "denied"]) {
      const pages = createServer((_req, res) => res.end("a page"));
      servers.push(pages);
      origins[name] = `http://127.0.0.1:${await listen(pages)}`;
    }
  });
  afterAll(() => {
    for (const pages of servers) pages.close().closeAllConnections();
  });

  beforeEach(async () => {
    const started = await startApi(await database());
    server = started.server;
    const make = (path: string, body: object) => started.api(path, { method: "POST", body });
    await make("/trustedOrigins", { name: "Console", origin: origins["trusted"], scopes: [{ type: "CORS" }] });
    token = `SVC ${(await make("/apiTokens", { name: "Page" })).body.token}`;
  });
  afterEach(() => server.close());

  describeIf(existsSync(CHROMIUM), "in Chromium", `Chromium, at ${CHROMIUM}`, () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchChromium("--ignore-certificate-errors");
    }, 30_000);
    afterAll(() => browser.close());

    itServesPages(() => ({ server, token, pageOf: (name) => openChromiumPage(browser, String(origins[name])) }));
  });

  describe("in jsdom", () => {
    const opened: JsdomPage[] = [];
    afterAll(() => Promise.all(opened.map((page) => page.close())));

    itServesPages(() => ({
      server,
      token,
      pageOf(name) {
        // what the flag is to Chromium
        const page = openJsdomPage(String(origins[name]), { NODE_TLS_REJECT_UNAUTHORIZED: "0", NODE_NO_WARNINGS: "1" });
        opened.push(page);
        return Promise.resolve(page.send);
      },
    }));
  });
});
