import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import express from "express";
import type { Browser } from "playwright-core";
import { apiError } from "../../lib/errors/api-error.js";
import type { ErrorCode } from "../../lib/errors/error-catalogue.js";
import { errorFormatter } from "../../middleware/error-formatter.js";
import { methodNotAllowed } from "../../middleware/method-not-allowed.js";
import { operationCors } from "../../middleware/operation-cors.js";
import {
  CHROMIUM,
  launchChromium,
  openChromiumPage,
  openJsdomPage,
  type JsdomPage,
  type Send,
} from "../support/pages.js";
import { listen } from "../support/raw-socket.js";
import { describeIf } from "../support/requirements.js";

const LINK = '<https://acme.example.com/users?after=1>; rel="next"';

const FAILURES: Readonly<Record<number, ErrorCode>> = {
  401: "E0000011",
  404: "E0000007",
  412: "E0000231",
  429: "E0000047",
  500: "E0000009",
};

/** Methods that reached a handler, past what the browser held back. */
const executed: string[] = [];
const servers: Server[] = [];
let api: string;
let trusted: string;
let denied: string;

beforeAll(async () => {
  trusted = await start(createServer((_req, res) => res.end("a page")));
  denied = await start(createServer((_req, res) => res.end("another page")));
  api = await start(createServer(createApi()));
});

afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

beforeEach(() => {
  executed.length = 0;
});

async function start(server: Server): Promise<string> {
  servers.push(server);
  return `http://127.0.0.1:${await listen(server)}`;
}

/** `/users/200` answers; `/users/404` and its like fail with that status. GET and PUT are marked, DELETE is not. */
function createApi(): express.Express {
  const app = express();
  app.all("/users/:status", operationCors({ origin: () => [trusted], operations: { GET: {}, PUT: {} } }));
  app.use((req, res, next) => {
    if (req.method !== "OPTIONS") executed.push(req.method);
    res.set({ ETag: 'W/"1"', Link: LINK });
    next();
  });
  const answer: express.RequestHandler = (req, res, next) => {
    const code = FAILURES[Number(req.params["status"])];
    if (code) next(apiError(code, { headers: { ETag: 'W/"1"' } }));
    else res.json({ method: req.method });
  };
  app.route("/users/:status").get(answer).put(answer).delete(answer).all(methodNotAllowed());
  app.use(errorFormatter({ log: () => undefined }));
  return app;
}

/** What must hold in any browser. */
function itKeepsTheRules(openPage: (origin: string) => Promise<Send>): void {
  const token = { Authorization: "Bearer a.b.c" };
  const pages = new Map<string, Promise<Send>>();

  async function pageOf(origin: string): Promise<Send> {
    const page = pages.get(origin) ?? openPage(origin);
    pages.set(origin, page);
    return page;
  }

  it("O1 a trusted page reads a GET, that is simple or has a token", async () => {
    const send = await pageOf(trusted);
    for (const headers of [{}, token]) {
      const seen = await send({ url: `${api}/users/200`, method: "GET", headers });
      expect(seen).toEqual({ status: 200, body: '{"method":"GET"}', etag: 'W/"1"', link: LINK });
    }
    expect(executed).toEqual(["GET", "GET"]);
  });

  it("O1 a trusted page may PUT, for PUT is marked", async () => {
    const send = await pageOf(trusted);
    const headers = { ...token, "Content-Type": "application/json", "If-Match": 'W/"1"' };
    const seen = await send({ url: `${api}/users/200`, method: "PUT", headers });
    expect(seen).toEqual({ status: 200, body: '{"method":"PUT"}', etag: 'W/"1"', link: LINK });
  });

  it.each([401, 404, 412, 429, 500])("O3 a trusted page reads status, body and headers of a %d", async (status) => {
    const send = await pageOf(trusted);
    const seen = await send({ url: `${api}/users/${status}`, method: "PUT", headers: token });
    const etag = status < 500 ? 'W/"1"' : null; // of a 5xx the error formatter keeps no field of its cause
    expect(seen).toMatchObject({ status, etag, link: LINK });
    expect(JSON.parse((seen as { body: string }).body)).toMatchObject({ errorCode: FAILURES[status] });
  });

  it("O1 a trusted page may not DELETE, for DELETE is not marked", async () => {
    const send = await pageOf(trusted);
    expect(await send({ url: `${api}/users/200`, method: "DELETE", headers: {} })).toBe("blocked");
    expect(executed).toEqual([]);
  });

  it("O1 a trusted page may not send a header that the operation has not", async () => {
    const send = await pageOf(trusted);
    expect(await send({ url: `${api}/users/200`, method: "GET", headers: { "X-Other": "1" } })).toBe("blocked");
    expect(executed).toEqual([]);
  });

  it.each([200, 401, 404, 412, 429, 500])("O3 another page reads nothing of a %d", async (status) => {
    const send = await pageOf(denied);
    expect(await send({ url: `${api}/users/${status}`, method: "GET", headers: {} })).toBe("blocked");
  });

  it("O3 another page may neither PUT nor send a token", async () => {
    const send = await pageOf(denied);
    expect(await send({ url: `${api}/users/200`, method: "PUT", headers: {} })).toBe("blocked");
    expect(await send({ url: `${api}/users/200`, method: "GET", headers: token })).toBe("blocked");
    expect(executed).toEqual([]);
  });
}

describeIf(existsSync(CHROMIUM), "operationCors in Chromium, with fetch()", `Chromium, at ${CHROMIUM}`, () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
  }, 30_000);

  afterAll(async () => {
    await browser.close();
  });

  itKeepsTheRules((origin) => openChromiumPage(browser, origin));
});

describe("operationCors in jsdom, with XMLHttpRequest", () => {
  const pages: JsdomPage[] = [];

  afterAll(async () => {
    await Promise.all(pages.map((page) => page.close()));
  });

  itKeepsTheRules((origin) => {
    const page = openJsdomPage(origin);
    pages.push(page);
    return Promise.resolve(page.send);
  });
});
