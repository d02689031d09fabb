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

  describe("asked by other names", () => {
    async function ask(port: number, hosts: readonly string[], version = "1.1"): Promise<string[]> {
      return Promise.all(
        hosts.map(async (host) => {
          const socket = connect(port, "127.0.0.1");
          const field = host === "-" ? "" : `Host: ${host}\r\n`;
          socket.end(`GET /metrics HTTP/${version}\r\n${field}Connection: close\r\n\r\n`);
          let text = "";
          socket.setEncoding("utf8").on("data", (part) => (text += String(part)));
          await once(socket, "close");
          return text;
        }),
      );
    }

    const base = { port: 0, namespace: "svc", readiness, formatMetrics: () => Promise.resolve("up 1\n"), log };

    it("refuses them, and says which setting adds one", async () => {
      const server = await startAdminServer({ ...base, host: "127.0.0.1", names: ["metrics.example"] });
      const own = ["localhost", "LOCALHOST:9464", "a.localhost", "127.0.0.1", "127.9.9.9:1", "[::1]:9464"];
      for (const text of await ask(server.port, [...own, "metrics.example:9464", "Metrics.Example."])) {
        expect(text).toContain("up 1");
      }
      expect((await ask(server.port, ["-"], "1.0"))[0]).toContain("up 1");
      const others = ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "192.0.2.1", "[2001:db8::1]"];
      for (const text of await ask(server.port, [...others, "127.example", "notlocalhost"])) {
        expect(text).toMatch(/^HTTP\/1\.1 403 [^]*"errorCode":"E0000006"/);
        expect(text).not.toContain("up 1");
      }
      expect((await ask(server.port, ["evil.example:80"]))[0]).toContain(
        '"errorCauses":[{"errorSummary":"Host: evil.example is no name of this port; --admin-names adds one"}]',
      );
      await server.close();
    });

    it("takes every address, and no name, where it listens on all addresses", async () => {
      const server = await startAdminServer({ ...base, host: "0.0.0.0" });
      for (const text of await ask(server.port, ["192.0.2.1:9464", "[2001:db8::1]:9464"])) {
        expect(text).toContain("up 1");
      }
      expect((await ask(server.port, ["evil.example"]))[0]).toMatch(/^HTTP\/1\.1 403 /);
      await server.close();
    });
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
