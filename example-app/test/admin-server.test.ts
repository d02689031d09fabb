import { once } from "node:events";
import { connect } from "node:net";
import { startAdminServer, type AdminServer } from "../src/admin-server.js";

const readiness = { findObstacle: () => Promise.resolve(undefined) };

const log = { error: jest.fn() };

function start(formatMetrics: () => Promise<string>): Promise<AdminServer> {
  return startAdminServer({ host: "127.0.0.1", port: 0, namespace: "svc", readiness, formatMetrics, log });
}

/** Send requests in one go, and read all responses. */
async function send(port: number, ...lines: string[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.end(lines.map((line) => `${line} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(""));
  let text = "";
  socket.setEncoding("utf8").on("data", (part) => (text += String(part)));
  await once(socket, "close");
  return text;
}

describe("startAdminServer()", () => {
  it("formats the metrics once for all that ask meanwhile, and anew for those that ask later", async () => {
    const formatMetrics = jest.fn(() => Promise.resolve("up 1\n"));
    const server = await start(formatMetrics);
    const text = await send(server.port, "GET /metrics", "GET /metrics", "GET /metrics");
    expect(text.match(/up 1/g)).toHaveLength(3);
    expect(formatMetrics).toHaveBeenCalledTimes(1);
    await send(server.port, "GET /metrics");
    expect(formatMetrics).toHaveBeenCalledTimes(2);
    await server.close();
  });

  it("asks once whether it is ready for all that ask meanwhile", async () => {
    const findObstacle = jest.fn(() => Promise.resolve("draining" as const));
    const options = { host: "127.0.0.1", port: 0, namespace: "svc", formatMetrics: () => Promise.resolve("") };
    const server = await startAdminServer({ ...options, readiness: { findObstacle }, log });
    const text = await send(server.port, "GET /readyz", "GET /readyz", "GET /readyz");
    expect(text.match(/^HTTP\/1\.1 503 /gm)).toHaveLength(3);
    expect(findObstacle).toHaveBeenCalledTimes(1);
    await server.close();
  });

  it("sends the error object when that fails, and goes on", async () => {
    const formatMetrics = jest.fn(() => Promise.resolve("up 1\n"));
    formatMetrics.mockRejectedValueOnce(new Error("expected"));
    const server = await start(formatMetrics);
    expect(await send(server.port, "GET /metrics")).toMatch(/^HTTP\/1\.1 500 [^]*"errorCode":"E0000009"/);
    expect(log.error.mock.calls).toMatchObject([[{ err: { message: "expected" } }, "the admin port has no answer"]]);
    expect(await send(server.port, "GET /metrics")).toContain("up 1");
    await server.close();
  });

  it("closes with connections that are open", async () => {
    const formatMetrics = (): Promise<string> => new Promise(() => undefined);
    const server = await start(formatMetrics);
    const idle = connect(server.port, "127.0.0.1");
    await once(idle, "connect");
    const waiting = send(server.port, "GET /metrics");
    await send(server.port, "GET /livez");
    await Promise.all([server.close(), once(idle.resume(), "close")]);
    expect(await waiting.catch(() => "")).toBe("");
  });
});
