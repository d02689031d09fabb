import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { connect } from "node:tls";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { CONSOLE_FOLDER } from "../../src/web/console/pages.js";
import { CHROMIUM, launchChromium } from "../../../test/support/pages.js";
import { describeIf } from "../../../test/support/requirements.js";
import { until } from "../../../test/support/until.js";
import { buildConsole } from "./console-build.js";
import { startConsole, type ConsoleClient } from "./console.js";
import type { Answer } from "./server.js";
import { makeFolder } from "./stores.js";
import { patient } from "../../../test/support/patience.js";

const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

type Cookies = Parameters<BrowserContext["addCookies"]>[0];

/** A server with the console, on a SQLite database of its own, and a browser. */
export interface ConsoleBrowser {
  readonly client: () => ConsoleClient;
  /** Opens a page at a path below `/console`, with the session of a link. */
  readonly open: (path?: string, options?: BrowserContextOptions) => Promise<Page>;
  /** Opens a page that is not signed in, unless a cookie says so. */
  readonly visit: (url: string, options?: BrowserContextOptions, cookies?: Cookies) => Promise<Page>;
  /** What the pages wrote to their consoles, and their uncaught errors. */
  readonly complaints: string[];
}

/**
 * Declares tests of the console in Chromium. Every page is closed after its test.
 *
 * @param settings of the server
 */
export function describeConsole(
  title: string,
  document: unknown,
  declare: (browser: ConsoleBrowser) => void,
  settings: Parameters<typeof startConsole>[1] = {},
): void {
  describeIf(existsSync(CHROMIUM), `${title} in Chromium`, `Chromium, at ${CHROMIUM}`, () => {
    const complaints: string[] = [];
    const state: { browser?: Browser; client?: ConsoleClient } = {};
    const dataFolder = makeFolder();
    const contexts = new KeptContexts(() => state.browser!);

    jest.setTimeout(120_000);

    beforeAll(async () => {
      buildConsole();
      state.client = await startConsole(
        { options: { dataFolder } },
        { consoleFolder: CONSOLE_FOLDER, ...settings },
        document,
      );
      // providers that no name server knows: their pages are those of the server itself
      const { host } = new URL(state.client.origin);
      state.browser = await launchChromium(
        "--renderer-process-limit=1",
        `--host-resolver-rules=MAP *.example ${host}`,
        `--ignore-certificate-errors-spki-list=${await hashKey(state.client.server)}`,
      );
    });
    afterEach(async () => {
      await contexts.release();
      expect(complaints.splice(0)).toEqual([]);
    });
    afterAll(async () => {
      await state.browser?.close();
      await state.client?.server.close();
    });

    const visit: ConsoleBrowser["visit"] = async (url, options, cookies = []) => {
      const context = await contexts.take({ ignoreHTTPSErrors: true, ...options });
      await context.addCookies(cookies);
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
        const { origin, newCode, signIn } = state.client!;
        const { cookie } = await signIn({ code: await newCode() });
        const [name = "", value = ""] = cookie.split("=");
        const page = await visit(`${origin}/console${path}`, options, [{ name, value, url: origin }]);
        await page.locator("nav").waitFor({ state: "attached" }); // a narrow window hides it
        return page;
      },
    });
  });
}

/** The hash of the key of a server: Chromium keeps no files of a server whose certificate it merely tolerates. */
async function hashKey({ port, ca }: ConsoleClient["server"]): Promise<string> {
  const socket = connect({ port, ca, servername: "localhost" });
  await once(socket, "secureConnect");
  const key = socket.getPeerX509Certificate()!.publicKey.export({ type: "spki", format: "der" });
  socket.destroy();
  return createHash("sha256").update(key).digest("base64");
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
    context.setDefaultTimeout(patient(30_000));
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

/**
 * Revokes every token when the page sends its next request to such a path: what the page asks by itself can't be the first
 * that notices.
 */
export const revokeAt = (page: Page, client: ConsoleClient, path: string): Promise<unknown> =>
  page.route(
    path,
    async (route) => {
      const store = await client.openStore();
      await store.write((transaction) => transaction.db.deleteFrom("api_tokens").execute());
      await store.close();
      await route.continue();
    },
    { times: 1 },
  );

/** Holds back what the page asks at such a path, until the function that it returns is called. */
export async function holdBack(page: Page, path: string): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(path, async (route) => {
    await released;
    await route.continue();
  });
  return () => {
    release();
  };
}

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

/** No animation runs that ends: colours on their way have less contrast. */
const IS_STILL = "document.getAnimations().every(({ effect }) => effect.getComputedTiming().endTime === Infinity)";

/** The violations that axe finds, each with its place. Waits until the page has come: until its heading is there. */
export async function findViolations(page: Page): Promise<string[]> {
  await page.locator("h1").first().waitFor({ state: "attached" });
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
