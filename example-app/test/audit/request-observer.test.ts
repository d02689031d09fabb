import { once } from "node:events";
import http from "node:http";
import express from "express";
import { createServer } from "etiquette/create-server";
import { errorFormatter } from "etiquette/error-formatter";
import { requestId } from "etiquette/request-id";
import { compileTrustedProxies } from "etiquette/trusted-proxies";
import request from "supertest";
import { exchange, listen } from "../../../test/support/raw-socket.js";
import { requestNotes, type EndedRequest } from "../../src/audit/request-facts.js";
import {
  noteError,
  observeProtocolErrors,
  observeRequests,
  type RequestSinks,
} from "../../src/audit/request-observer.js";
import { createLog } from "../../src/program/process/log.js";

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the tests say what they expect
type Line = any;

interface Observed {
  app: express.Express;
  sinks: RequestSinks;
  events: EndedRequest[];
  /** Resolves when the next line is there. */
  nextLine: () => Promise<Line>;
}

/** An app with one route that does `work`. */
function createObservedApp(work: express.RequestHandler): Observed {
  const lines: Line[] = [];
  const events: EndedRequest[] = [];
  let notify = (): void => undefined;
  const log = createLog("info", {
    write(line: string) {
      lines.push(JSON.parse(line));
      notify();
    },
  });
  const sinks = { log, events: { add: (end: EndedRequest) => void events.push(end) } };
  const app = express();
  app.use(
    requestId(),
    observeRequests({ ...sinks, hashFingerprint: String, trustedProxies: compileTrustedProxies([]) }),
  );
  app.use(work);
  app.use(errorFormatter({ log: noteError }));
  const nextLine = async (): Promise<Line> => {
    if (lines.length === 0) await new Promise<void>((resolve) => (notify = resolve));
    return lines.shift();
  };
  return { app, sinks, events, nextLine };
}

const servers: http.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function start(server: http.Server): Promise<number> {
  servers.push(server);
  return listen(server);
}

describe("observeRequests()", () => {
  it("E4 holds the failure that the client is not told, under the same id", async () => {
    const { app, nextLine } = createObservedApp(() => {
      throw Object.assign(new Error("boom", { cause: "why" }), { detail: "Key (login)=(joe)" });
    });
    const { body, text } = await request(app).get("/a/b?login=joe");
    const line = await nextLine();
    expect(line).toMatchObject({ level: "error", requestId: body.errorId, path: "/a/b", status: 500 });
    expect(line.err).toEqual({
      type: "Error",
      message: "boom",
      stack: expect.stringContaining("request-observer.test"),
      cause: { message: "why" },
    });
    expect(text).not.toContain("boom");
  });

  it("does not hold what the client did wrong", async () => {
    const { app, nextLine } = createObservedApp((_req, _res, next) => {
      next(Object.assign(new Error("no"), { status: 400 }));
    });
    await request(app).get("/");
    const line = await nextLine();
    expect(line).toMatchObject({ level: "info", status: 400 });
    expect(line).not.toHaveProperty("err");
  });

  it("says that the client gave up", async () => {
    const { app, nextLine } = createObservedApp(() => undefined);
    const port = await start(http.createServer(app));
    const client = http.get({ port, host: "127.0.0.1" });
    client.on("error", () => undefined);
    await once(servers[0]!, "request");
    client.destroy();
    expect(await nextLine()).toMatchObject({ aborted: true, clientIp: "127.0.0.1" });
  });

  it("holds the path of an absolute form without its authority, and no more than 512 characters", async () => {
    const { app, nextLine } = createObservedApp((_req, res) => void res.end());
    const port = await start(http.createServer(app));
    for (const path of ["http://joe:secret@localhost/a?b", `/${"x".repeat(1000)}`]) {
      http.get({ port, host: "127.0.0.1", path }).on("response", (response) => response.resume());
    }
    const paths = [(await nextLine()).path, (await nextLine()).path];
    expect(paths.sort()).toEqual([`/${"x".repeat(511)}`, "/a"].sort());
  });

  it("tells both sinks of a request once, the same", async () => {
    const { app, events, nextLine } = createObservedApp((_req, res) => void res.status(202).end());
    await exchange(
      await start(http.createServer(app)),
      "GET /a HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n",
    );
    const line = await nextLine();
    expect(line).toEqual({
      level: "info",
      time: expect.any(String),
      pid: process.pid,
      hostname: expect.any(String),
      requestId: expect.any(String),
      method: "GET",
      path: "/a",
      status: 202,
      durationMs: expect.any(Number),
      clientIp: "127.0.0.1",
      msg: "request",
    });
    expect(events).toMatchObject([
      { facts: { id: line.requestId, url: "/a" }, host: "a.example", isServed: true, status: 202, isSuccess: true },
    ]);
  });

  it.each([
    [false, 200, 1],
    [true, 200, 0],
    [true, 304, 0],
    [true, 400, 1],
    [true, 500, 1],
  ])("D2 has an event unless a change was recorded and succeeded (%s, %i: %i)", async (hasRecorded, status, count) => {
    const { app, events, nextLine } = createObservedApp((req, res, next) => {
      requestNotes.get(req).hasRecorded = hasRecorded;
      if (status < 400) res.status(status).end();
      else next(Object.assign(new Error("no"), { status }));
    });
    await request(app).get("/").expect(status);
    await nextLine();
    expect(events).toHaveLength(count);
  });

  it("tells of an error after the head of a response what was sent and what would have been", async () => {
    const { app, events, nextLine } = createObservedApp((_req, res) => {
      res.write("x");
      throw new Error("boom");
    });
    await exchange(await start(http.createServer(app)), "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n");
    expect(await nextLine()).toMatchObject({ level: "info", status: 200, aborted: true, err: { message: "boom" } });
    expect(events).toMatchObject([{ status: 500, errorCode: "E0000009", isSuccess: false }]);
  });
});

describe("observeProtocolErrors()", () => {
  it("tells both sinks of what can't be parsed", async () => {
    const { app, sinks, events, nextLine } = createObservedApp((_req, res) => void res.end());
    const port = await start(createServer(app, { log: observeProtocolErrors(sinks) }));
    const response = await exchange(port, "NONSENSE\r\n\r\n");
    const [, id] = /^X-Svc-Request-Id: (\S+)/m.exec(response) ?? [];
    expect(await nextLine()).toEqual({
      level: "info",
      time: expect.any(String),
      pid: process.pid,
      hostname: expect.any(String),
      requestId: id,
      status: 400,
      code: "E0009000",
      clientIp: "127.0.0.1",
      msg: "request refused",
    });
    expect(events).toMatchObject([
      { facts: { id, method: undefined, url: undefined }, isServed: false, status: 400, errorCode: "E0009000" },
    ]);
  });

  it("tells of a body that goes wrong in the app twice in the program log, and in one event", async () => {
    const { app, sinks, events, nextLine } = createObservedApp((req) => void req.resume());
    const port = await start(createServer(app, { log: observeProtocolErrors(sinks) }));
    const response = await exchange(
      port,
      "POST /a?b HTTP/1.1\r\nHost: a.example\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    );
    const [, requestId] = /^X-Svc-Request-Id: (\S+)/m.exec(response) ?? [];
    const line = { level: "info", requestId, method: "POST", path: "/a", clientIp: "127.0.0.1" };
    expect(await nextLine()).toMatchObject({ ...line, msg: "request refused", status: 400, code: "E0009000" });
    const ended = await nextLine();
    expect(ended).toMatchObject({ ...line, msg: "request", status: 200, aborted: true });
    expect(ended).not.toHaveProperty("code");
    expect(events).toMatchObject([
      { facts: { id: requestId }, isServed: true, status: 400, errorCode: "E0009000", isSuccess: false },
    ]);
  });
});

describe("createLog()", () => {
  it("has the level that was asked for", () => {
    expect(createLog("silent").isLevelEnabled("fatal")).toBe(false);
    expect(createLog("warn").isLevelEnabled("info")).toBe(false);
  });
});
