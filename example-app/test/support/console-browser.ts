import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { CHROMIUM, launchChromium } from "../../../test/support/pages.js";
import { describeIf } from "../../../test/support/requirements.js";
import { until } from "../../../test/support/until.js";
import { startConsole, type ConsoleClient } from "./console.js";
import type { Answer } from "./server.js";
import { makeFolder } from "./stores.js";

const BUILD = join(__dirname, "../../console/build.mjs");
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/** A server with the console, on a SQLite database of its own, and a browser. */
export interface ConsoleBrowser {
  readonly client: () => ConsoleClient;
  /** Opens a page that is signed in with a link, at a path below `/console`. */
  readonly open: (path?: string, options?: BrowserContextOptions) => Promise<Page>;
  /** Opens a page that is not signed in. */
  readonly visit: (url: string, options?: BrowserContextOptions) => Promise<Page>;
  /** What the pages wrote to their consoles, and their uncaught errors. */
  readonly complaints: string[];
}

/** Declares tests of the console in Chromium. Every page is closed after its test. */
export function describeConsole(title: string, document: unknown, declare: (browser: ConsoleBrowser) => void): void {
  describeIf(existsSync(CHROMIUM), `${title} in Chromium`, `Chromium, at ${CHROMIUM}`, () => {
    const complaints: string[] = [];
    const state: { browser?: Browser; client?: ConsoleClient } = {};
    const dataFolder = makeFolder();
    const contexts = new KeptContexts(() => state.browser!);

    jest.setTimeout(120_000);

    beforeAll(async () => {
      execFileSync(process.execPath, [BUILD]);
      state.client = await startConsole({ options: { dataFolder } }, {}, document);
      // providers that no name server knows: their pages are those of the server itself
      const { host } = new URL(state.client.origin);
      state.browser = await launchChromium("--renderer-process-limit=1", `--host-resolver-rules=MAP *.example ${host}`);
    });
    afterEach(async () => {
      await contexts.release();
      expect(complaints.splice(0)).toEqual([]);
    });
    afterAll(async () => {
      await state.browser?.close();
      await state.client?.server.close();
    });

    const visit: ConsoleBrowser["visit"] = async (url, options) => {
      const context = await contexts.take({ ignoreHTTPSErrors: true, ...options });
      const page = await context.newPage();
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => {
        // what a test provokes: Chromium reports each 4xx
        if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
          complaints.push(message.text());
        }
      });
      await page.goto(url);
      return page;
    };

    declare({
      client: () => state.client!,
      complaints,
      visit,
      async open(path = "", options) {
        const page = await visit(await state.client!.newLink(), options);
        await page.getByRole("navigation").waitFor({ state: "attached" });
        if (path !== "") await page.goto(`${state.client!.origin}/console${path}`);
        return page;
      },
    });
  });
}

/** Contexts that keep the files and the process of the console from test to test: to begin anew takes a fifth of the processor time. */
class KeptContexts {
  private readonly free = new Map<string, BrowserContext[]>();
  private readonly used: [string, BrowserContext][] = [];

  constructor(private readonly browser: () => Browser) {}

  /** A context without cookies and pages, which nobody else has in this test. */
  async take(options: BrowserContextOptions): Promise<BrowserContext> {
    const key = JSON.stringify(options);
    const context = this.free.get(key)?.pop() ?? (await this.create(options));
    this.used.push([key, context]);
    return context;
  }

  private async create(options: BrowserContextOptions): Promise<BrowserContext> {
    const context = await this.browser().newContext(options);
    await context.newPage(); // keeps the process that pages are in
    return context;
  }

  async release(): Promise<void> {
    for (const [key, context] of this.used.splice(0)) {
      for (const page of context.pages().slice(1)) {
        await page.evaluate("localStorage.clear()").catch(() => undefined);
        await page.close();
      }
      await context.clearCookies();
      this.free.set(key, [...(this.free.get(key) ?? []), context]);
    }
  }
}

/** Sends a request to the API with the session of a page. */
export const send = (page: Page, method: string, path: string, body?: object): Promise<Answer["body"]> =>
  page.evaluate(
    async ([verb, url, text]) => {
      const headers = { "Content-Type": "application/json" };
      const response = await fetch(url, { method: verb, headers, ...(text !== "" && { body: text }) });
      const answer = await response.text();
      return answer === "" ? undefined : (JSON.parse(answer) as unknown);
    },
    [method, `/api/v1${path}`, body === undefined ? "" : JSON.stringify(body)] as const,
  );

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

/** No animation runs that ends: colours on their way have less contrast. */
const IS_STILL = "document.getAnimations().every(({ effect }) => effect.getComputedTiming().endTime === Infinity)";

/** The violations that axe finds, each with its place. */
export async function findViolations(page: Page): Promise<string[]> {
  await until(() => page.evaluate<boolean>(IS_STILL));
  await page.evaluate(AXE); // the browser's own tools may run scripts that the policy of the page refuses
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run: () => Promise<{ violations: Violation[] }> } };
    const { violations } = await axe.run();
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 300)} ${failureSummary}`),
    );
  });
}
