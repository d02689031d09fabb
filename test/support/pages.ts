import { once } from "node:events";
import { existsSync } from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { chromium, type Browser } from "playwright-core";

/** Pages of real browsers, from which the tests send requests. */

/** The shell is the same browser without windows: it takes a third of the processor time. */
const PROGRAMS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"] as const;

export const CHROMIUM = process.env["CHROMIUM_PATH"] ?? PROGRAMS.find(existsSync) ?? PROGRAMS[1];

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

interface PageCall {
  url: string;
  method: string;
  headers: Record<string, string>;
}

/** What a page can read of an answer. */
type Seen = { status: number; body: string; etag: string | null; link: string | null } | "blocked";

/** Sends a request from a page, with the means of a page. */
export type Send = (call: PageCall) => Promise<Seen>;

export function launchChromium(...flags: string[]): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...flags] });
}

/** A page of Chromium, which sends with `fetch()`. */
export async function openChromiumPage(browser: Browser, origin: string): Promise<Send> {
  const page = await browser.newPage();
  await page.goto(origin);
  // the function runs in the page
  return (call) =>
    page.evaluate(async ({ url, method, headers }): Promise<Seen> => {
      try {
        const response = await fetch(url, { method, headers });
        const [etag = null, link = null] = ["ETag", "Link"].map((name) => response.headers.get(name));
        return { status: response.status, body: await response.text(), etag, link };
      } catch {
        return "blocked";
      }
    }, call);
}

/** A page of jsdom, which sends with XMLHttpRequest. */
export interface JsdomPage {
  readonly send: Send;
  readonly close: () => Promise<unknown>;
}

/** @param env further variables of the thread that the page is in */
export function openJsdomPage(origin: string, env: NodeJS.ProcessEnv = {}): JsdomPage {
  const worker = new Worker(path.join(__dirname, "jsdom-page.js"), {
    workerData: origin,
    env: { ...process.env, ...env },
  });
  return {
    async send(call) {
      worker.postMessage(call);
      const [seen] = (await once(worker, "message")) as [Seen];
      return seen;
    },
    close: () => worker.terminate(),
  };
}
