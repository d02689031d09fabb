import { existsSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import https from "node:https";
import type { Browser, Page } from "playwright-core";
import { CHROMIUM, launchChromium } from "../../../test/support/pages.js";
import { describeIf } from "../../../test/support/requirements.js";
import { DOCS_POLICY } from "../../src/web/docs-page.js";
import { startConsole, type ConsoleClient } from "../support/console.js";
import { call } from "../support/server.js";
import { describeStores } from "../support/stores.js";
import { patient } from "../../../test/support/patience.js";

const FILES = ["", "/page.css", "/page.js", "/swagger-ui.css", "/swagger-ui-bundle.js", "/favicon-32x32.png"];

describeStores((engine, database) => {
  let client: ConsoleClient;
  beforeEach(async () => {
    client = await startConsole(await database());
  });
  afterEach(() => client.server.close());

  test("the page and its files allow no other scripts, and a browser that has them gets 304", async () => {
    for (const file of FILES) {
      const path = `/api/docs${file}`;
      const { status, headers } = await call(client.server, path);
      expect({ path, status }).toEqual({ path, status: 200 });
      expect(headers).toMatchObject({
        "content-security-policy": DOCS_POLICY,
        "cache-control": "no-cache",
        "x-content-type-options": "nosniff",
        vary: "Origin, Accept-Encoding",
      });
      const again = await call(client.server, path, { headers: { "If-None-Match": String(headers.etag) } });
      expect(again).toMatchObject({ status: 304, text: "" });
    }
    expect(DOCS_POLICY).not.toMatch(/unsafe|\*/);
  });

  test("a file is sent compressed to those who take that", async () => {
    const path = "/api/docs/swagger-ui.css";
    const plain = await call(client.server, path);
    const compressed = await new Promise<Buffer>((resolve, reject) => {
      const options = {
        host: "127.0.0.1",
        port: client.server.port,
        path,
        ca: client.server.ca,
        servername: "localhost",
      };
      const headers = { Host: "localhost", "Accept-Encoding": "gzip" };
      https
        .get({ ...options, headers, agent: false }, (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("end", () => {
            resolve(Buffer.concat(chunks));
          });
        })
        .on("error", reject);
    });
    expect(gunzipSync(compressed).toString()).toBe(plain.text);
    expect(compressed.length).toBeLessThan(plain.text.length / 4);
  });

  test("other files and methods are refused", async () => {
    for (const file of ["/", "/index.html", "/swagger-initializer.js", "/..%2Fpackage.json", "/swagger-ui.js.map"]) {
      expect(await call(client.server, `/api/docs${file}`)).toMatchObject({ status: 404 });
    }
    expect(await call(client.server, "/api/docs", { method: "POST" })).toMatchObject({ status: 405 });
  });

  if (engine !== "SQLite") return; // what a browser does is the same on every database
  describeIf(existsSync(CHROMIUM), "in Chromium", `Chromium, at ${CHROMIUM}`, () => {
    let browser: Browser;
    let page: Page;
    const requested: string[] = [];
    const complaints: string[] = [];

    beforeAll(async () => {
      browser = await launchChromium("--ignore-certificate-errors");
    }, 30_000);
    afterAll(() => browser.close());
    beforeEach(async () => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 1000 } });
      page = await context.newPage();
      page.setDefaultTimeout(patient(30_000));
      requested.length = complaints.length = 0;
      context.on("request", (request) => requested.push(new URL(request.url()).origin));
      page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(error.message));
    });
    afterEach(() => page.context().close());

    test("operations are tried with the session of the console, and no request leaves the server", async () => {
      const { cookie } = await client.signIn({ code: await client.newCode() });
      const [name = "", value = ""] = cookie.split("=");
      await page
        .context()
        .addCookies([{ name, value, url: client.origin, secure: true, httpOnly: true, sameSite: "Strict" }]);
      await page.goto(`${client.origin}/api/docs`);
      await page.locator("#operations-zones-createZone .opblock-summary-control").click();
      await page.locator("#operations-zones-createZone textarea").fill('{ "name": "From the page" }');
      await page.locator("#operations-zones-createZone .execute").click();
      const shown = page.locator("#operations-zones-createZone .live-responses-table tbody");
      await shown.locator("text=From the page").first().waitFor();
      expect(await shown.locator(".response-col_status").first().textContent()).toContain("200");
      expect((await client.visit(cookie, "/api/v1/zones?q=From")).body).toMatchObject([{ name: "From the page" }]);
      expect([...new Set(requested)]).toEqual([client.origin]);
      expect(complaints).toEqual([]);
    });

    test("without a session, a token is given to the page", async () => {
      await page.goto(`${client.origin}/api/docs?version=v2`);
      expect(await page.locator("nav a[aria-current]").textContent()).toBe("v2");
      await page.locator(".btn.authorize").first().click();
      await page
        .locator(".auth-container input")
        .first()
        .fill(`SVC ${await client.newToken()}`);
      await page.locator(".auth-container .authorize").first().click();
      await page.locator(".btn-done").first().click();
      await page.locator("#operations-users-listUsers .opblock-summary-control").click();
      await page.locator("#operations-users-listUsers .execute").click();
      const status = page.locator("#operations-users-listUsers .live-responses-table tbody .response-col_status");
      expect(await status.first().textContent()).toContain("200");
      expect([...new Set(requested)]).toEqual([client.origin]);
      expect(complaints).toEqual([]);
    });
  });
});
