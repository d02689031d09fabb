import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import express from "express";
import type { Browser, Page } from "playwright-core";
import { CHROMIUM, launchChromium } from "../support/pages.js";
import { listen } from "../support/raw-socket.js";
import { describeIf } from "../support/requirements.js";
import { patient } from "../support/patience.js";

const ROOT = path.join(__dirname, "../..");

const { repository } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
  repository: { url: string };
};
const REPOSITORY = repository.url.replace(/^git\+|\.git$/g, "");

/** The build fails for a link that leads nowhere, and for a page that no other lists. */
describe("the site", () => {
  let folder: string;
  let files: string[];

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "etiquette-site-"));
    const program = path.join(ROOT, "node_modules/vitepress/bin/vitepress.js");
    await promisify(execFile)(process.execPath, [program, "build", "site", "--outDir", folder], { cwd: ROOT });
    files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".html"));
  }, 300_000);

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const read = (file: string) => readFileSync(path.join(folder, file), "utf8");

  it("has every page once, and links lead to anchors that exist", () => {
    expect(files.length).toBeGreaterThan(100);
    const anchors = new Map(files.map((file) => [file, new Set(valuesOf(read(file), "id"))]));
    const broken = files.flatMap((file) =>
      valuesOf(read(file), "href")
        .filter((href) => href.startsWith("/") && !/\.\w+$/.test(href))
        .filter((href) => !isThere(anchors, href))
        .map((href) => `${file}: ${href}`),
    );
    expect(broken).toEqual([]);
  });

  it("leads to files of the repository where it has no page", () => {
    const links = files.flatMap((file) => valuesOf(read(file), "href")).filter((href) => href.startsWith(REPOSITORY));
    const shown = links.filter((href) => /\/(?:blob|tree)\/main\//.test(href));
    expect(shown.length).toBeGreaterThan(10);
    const places = new Set(shown.map((href) => href.replace(/^.*\/main\/|#.*$/g, "")));
    expect([...places].filter((place) => !existsSync(path.join(ROOT, place)))).toEqual([]);
  });

  describeIf(existsSync(CHROMIUM), "in a browser", "chromium", () => {
    let browser: Browser;
    let server: Server;
    let page: Page;
    const faults: string[] = [];

    beforeAll(async () => {
      server = createServer(express().use(express.static(folder, { extensions: ["html"] })));
      const origin = `http://127.0.0.1:${await listen(server)}`;
      browser = await launchChromium();
      page = await browser.newPage({ baseURL: origin, colorScheme: "light" });
      page.setDefaultTimeout(patient(30_000));
      page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
      page.on("pageerror", (error) => faults.push(error.message));
      page.on("request", (request) => {
        if (!["data:", origin].some((start) => request.url().startsWith(start))) faults.push(request.url());
      });
    }, 60_000);

    afterAll(async () => {
      await browser.close();
      server.close().closeAllConnections();
      expect(faults).toEqual([]); // nothing failed, and nothing came from elsewhere
    });

    it.each([
      ["E0000231", "The object changed."],
      ["idempotency.mismatch", "idempotency.mismatch"],
    ])("the search leads from %s to its place", async (name, text) => {
      await page.goto("/");
      await page.getByRole("button", { name: "Search" }).click();
      await page.locator("#localsearch-input").fill(name);
      await page.locator(".results .result", { hasText: name }).first().waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL(`**/reference/errors#${name}`);
      const place = page.locator(`.found[id="${name}"]`);
      await place.waitFor();
      expect(await place.locator("xpath=ancestor::*[self::tr or self::p]").innerText()).toContain(text);
    });

    it("a page has a dark form, which stays, and leads to its source", async () => {
      await page.goto("/middleware/filter");
      const isDark = () => page.locator("html").evaluate((html) => html.classList.contains("dark"));
      expect(await isDark()).toBe(false);
      await page.getByRole("switch").first().click();
      expect(await isDark()).toBe(true);
      await page.reload();
      expect(await isDark()).toBe(true);
      const source = await page.getByRole("link", { name: "Edit this page" }).getAttribute("href");
      expect(source).toBe(`${REPOSITORY}/edit/main/middleware/filter.md`);
    });

    it("pages fit on a phone", async () => {
      await page.setViewportSize({ width: 360, height: 740 });
      for (const address of ["/", "/readme", "/reference/errors", "/reference/settings"]) {
        await page.goto(address);
        expect([address, await page.evaluate<number>("document.documentElement.scrollWidth")]).toEqual([address, 360]);
      }
    });
  });
});

function valuesOf(html: string, attribute: string): string[] {
  return Array.from(html.matchAll(new RegExp(` ${attribute}="([^"]*)"`, "g")), ([, value = ""]) => value);
}

/** Whether a file of the site has this address, and an element the anchor. */
function isThere(anchors: ReadonlyMap<string, ReadonlySet<string>>, href: string): boolean {
  const [address = "", anchor] = href.slice(1).split("#");
  const found = anchors.get(`${address}.html`) ?? anchors.get(path.posix.join(address, "index.html"));
  return found !== undefined && (anchor === undefined || found.has(decodeURIComponent(anchor)));
}
