import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { errorFormatter } from "etiquette/error-formatter";
import { requestId } from "etiquette/request-id";
import request from "supertest";
import { noteFailure, requestLog } from "../../src/audit/request-log.js";
import { createLog } from "../../src/program/log.js";

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the tests say what they expect
type Line = any;

interface Logged {
  app: express.Express;
  lines: Line[];
  /** Resolves when the next line is there. */
  nextLine: () => Promise<Line>;
}

/** An app with one route that does `work`. */
function createLoggedApp(work: express.RequestHandler): Logged {
  const lines: Line[] = [];
  let notify = (): void => undefined;
  const log = createLog("info", {
    write(line: string) {
      lines.push(JSON.parse(line));
      notify();
    },
  });
  const app = express();
  app.use(requestId(), requestLog(log));
  app.use(work);
  app.use(errorFormatter({ log: noteFailure }));
  const nextLine = async (): Promise<Line> => {
    if (lines.length === 0) await new Promise<void>((resolve) => (notify = resolve));
    return lines.shift();
  };
  return { app, lines, nextLine };
}

describe("requestLog()", () => {
  it("E4 holds the failure that the client is not told, under the same id", async () => {
    const { app, nextLine } = createLoggedApp(() => {
      throw Object.assign(new Error("boom", { cause: "why" }), { detail: "Key (login)=(joe)" });
    });
    const { body, text } = await request(app).get("/a/b?login=joe");
    const line = await nextLine();
    expect(line).toMatchObject({ level: "error", requestId: body.errorId, path: "/a/b", status: 500 });
    expect(line.err).toEqual({
      type: "Error",
      message: "boom",
      stack: expect.stringContaining("request-log.test"),
      cause: { message: "why" },
    });
    expect(text).not.toContain("boom");
  });

  it("does not hold what the client did wrong", async () => {
    const { app, nextLine } = createLoggedApp((_req, _res, next) => {
      next(Object.assign(new Error("no"), { status: 400 }));
    });
    await request(app).get("/");
    const line = await nextLine();
    expect(line).toMatchObject({ level: "info", status: 400 });
    expect(line).not.toHaveProperty("err");
  });

  it("says that the client gave up", async () => {
    const { app, nextLine } = createLoggedApp(() => undefined);
    const server = http.createServer(app).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const client = http.get({ port, host: "127.0.0.1" });
    client.on("error", () => undefined);
    await once(server, "request");
    client.destroy();
    expect(await nextLine()).toMatchObject({ aborted: true, clientIp: "127.0.0.1" });
    server.close();
  });

  it("holds the path of an absolute form without its authority, and no more than 512 characters", async () => {
    const { app, nextLine } = createLoggedApp((_req, res) => void res.end());
    const server = http.createServer(app).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    for (const path of ["http://joe:secret@localhost/a?b", `/${"x".repeat(1000)}`]) {
      http.get({ port, host: "127.0.0.1", path }).on("response", (response) => response.resume());
    }
    const paths = [(await nextLine()).path, (await nextLine()).path];
    expect(paths.sort()).toEqual([`/${"x".repeat(511)}`, "/a"].sort());
    server.close();
  });
});

describe("createLog()", () => {
  it("has the level that was asked for", () => {
    expect(createLog("silent").isLevelEnabled("fatal")).toBe(false);
    expect(createLog("warn").isLevelEnabled("info")).toBe(false);
  });
});
