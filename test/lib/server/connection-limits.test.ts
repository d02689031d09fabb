import { once } from "node:events";
import type { RequestListener, Server } from "node:http";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { connect as connectTls } from "node:tls";
import { createServer, type CreateServerOptions } from "../../../lib/server/create-server.js";
import { exchange, listen, open, parseAnswers, readUntilClose } from "../../support/raw-socket.js";
import { createTestCertificate } from "../../support/tls.js";
import { until } from "../../support/until.js";

jest.setTimeout(30_000);

const GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
const LAST_GET = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

/** More than the kernel takes for a client that doesn't read. */
const LARGE = Buffer.alloc(16_777_216, "x");

const servers: Server[] = [];
const clients: Socket[] = [];

afterEach(() => {
  jest.restoreAllMocks();
  for (const client of clients.splice(0)) client.destroy();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

describe.each(["HTTP", "HTTPS"])("createServer() over %s", (scheme) => {
  const tls = scheme === "HTTPS";

  async function start(app: RequestListener, options: CreateServerOptions = {}): Promise<[Server, number]> {
    const server = createServer(app, { ...options, ...(tls && { tls: await createTestCertificate() }) });
    servers.push(server);
    return [server, await listen(server)];
  }

  /** A connection from an address of the loopback. It reads nothing by itself. */
  async function openFrom(port: number, localAddress: string): Promise<Socket> {
    const tcp = connect({ port, host: "127.0.0.1", localAddress });
    const socket = tls ? connectTls({ socket: tcp, rejectUnauthorized: false }) : tcp;
    clients.push(socket);
    await once(socket, tls ? "secureConnect" : "connect");
    return socket;
  }

  async function openSlow(port: number): Promise<Socket> {
    const socket = await open(port, { tls });
    clients.push(socket);
    return socket.on("error", () => undefined);
  }

  describe("option writeTimeout", () => {
    it("cuts off a client that reads nothing of its response", async () => {
      const [server, port] = await start((_req, res) => void res.end(LARGE), { writeTimeout: 200 });
      const client = await openSlow(port);
      client.write(GET);
      await once(server, "request");
      await untilConnections(server, 0);
      expect((await readUntilClose(client)).length).toBeLessThan(LARGE.length);
    });

    it("lets a client read slowly, for longer than the time-out", async () => {
      const [, port] = await start((_req, res) => void res.end(LARGE), { writeTimeout: 4_000 });
      const client = await openSlow(port);
      client.write(LAST_GET);
      const begin = Date.now();
      let length = 0;
      client.on("data", (chunk: string) => {
        length += chunk.length;
        client.pause();
        const due = begin + (5_000 * length) / LARGE.length;
        setTimeout(() => client.resume(), due - Date.now()); // on a busy machine it has no time to lose
      });
      await once(client, "close");
      expect(length).toBeGreaterThan(LARGE.length);
      expect(Date.now() - begin).toBeGreaterThan(4_000);
    });

    it("lets a client wait for its response", async () => {
      const [, port] = await start((_req, res) => void setTimeout(() => res.end("late"), 500), { writeTimeout: 100 });
      expect(parseAnswers(await exchange(port, LAST_GET, { tls }))).toMatchObject([{ status: 200 }]);
    });

    it.each([false, Infinity] as const)("lets a client wait for ever when it is %s", async (writeTimeout) => {
      const interval = jest.spyOn(global, "setInterval");
      const [server, port] = await start((_req, res) => void res.end(LARGE), { writeTimeout });
      interval.mockClear();
      const client = await openSlow(port);
      client.write(GET);
      await once(server, "request");
      expect(interval).not.toHaveBeenCalled();
    });
  });

  describe("option maxConnections", () => {
    const ok: RequestListener = (_req, res) => void res.end("ok");

    it("closes one connection more, emits drop, and takes another one when one has gone", async () => {
      const [server, port] = await start(ok, { maxConnections: 3 });
      const drops: unknown[] = [];
      server.on("drop", (peer) => drops.push(peer?.remoteAddress));
      const held = [];
      for (let i = 0; i < 3; i++) held.push(await answered(await openFrom(port, "127.0.0.1")));
      expect(drops).toEqual([]);
      expect(await refused(port, "127.0.0.2")).toBe(true);
      expect(drops).toEqual(["127.0.0.2"]);
      held[0]?.destroy();
      await untilConnections(server, 2);
      await answered(await openFrom(port, "127.0.0.2"));
      expect(drops).toHaveLength(1);
    });
  });

  describe("option maxConnectionsPerIp", () => {
    const ok: RequestListener = (_req, res) => void res.end("ok");

    it("closes one connection more of an address, not of others", async () => {
      const [server, port] = await start(ok, { maxConnectionsPerIp: 2 });
      const held = [];
      for (let i = 0; i < 2; i++) held.push(await answered(await openFrom(port, "127.0.0.1")));
      expect(await refused(port, "127.0.0.1")).toBe(true);
      for (let i = 0; i < 2; i++) await answered(await openFrom(port, "127.0.0.2"));
      expect(await refused(port, "127.0.0.2")).toBe(true);
      held[0]?.destroy();
      await untilConnections(server, 3);
      await answered(await openFrom(port, "127.0.0.1"));
    });

    it("does not count the addresses in trust, which maxConnections counts", async () => {
      const options = { maxConnectionsPerIp: 1, maxConnections: 4, trust: "127.0.0.1, 192.0.2.0/24" };
      const [, port] = await start(ok, options);
      for (let i = 0; i < 3; i++) await answered(await openFrom(port, "127.0.0.1"));
      await answered(await openFrom(port, "127.0.0.2"));
      expect(await refused(port, "127.0.0.1")).toBe(true);
    });

    it("with false lets an address have any number", async () => {
      const [, port] = await start(ok, { maxConnectionsPerIp: false, maxConnections: false });
      for (let i = 0; i < 10; i++) await answered(await openFrom(port, "127.0.0.1"));
    });
  });

  /** Whether the server closes a connection without a byte. */
  async function refused(port: number, localAddress: string): Promise<boolean> {
    const tcp = connect({ port, host: "127.0.0.1", localAddress });
    clients.push(tcp);
    const text = readUntilClose(tcp.setEncoding("latin1"));
    tcp.on("connect", () => tcp.write(GET));
    return /^(…RESET)?$/.test(await text);
  }

  describe("option maxPendingResponses", () => {
    /** Responds to each request after a moment. */
    const seen: string[] = [];
    const slow: RequestListener = (req, res) => {
      seen.push(String(req.url));
      setTimeout(() => res.end("ok"), 50);
    };
    beforeEach(() => void seen.splice(0));

    it.each([
      [2, [200, 200]],
      [3, [200, 200, 200]],
      [4, [200, 200, 200, 429]],
      [9, [200, 200, 200, 429]],
    ])("of 3 sends these responses to %d requests: %j", async (count, statuses) => {
      const [, port] = await start(slow, { maxPendingResponses: 3 });
      const client = await open(port, { tls });
      const text = readUntilClose(client);
      client.write(GET.repeat(count));
      if (count <= 3) setTimeout(() => client.write(LAST_GET), 500);
      const answers = parseAnswers(await text);
      if (count <= 3) expect(answers.pop()?.status).toBe(200);
      expect(answers.map(({ status }) => status)).toEqual(statuses);
      expect(seen).toHaveLength(Math.min(count, 3) + Number(count <= 3));
      if (count > 3) {
        const { headers, body } = answers[3] ?? { headers: {}, body: "" };
        expect(headers).toMatchObject({ connection: "close", "x-svc-request-id": expect.any(String) });
        expect(JSON.parse(body)).toMatchObject({
          errorCode: "E0000047",
          errorCauses: [
            { errorSummary: "More than 3 requests of this connection wait for their response; read responses." },
          ],
        });
      }
    });

    it("counts only those that wait now", async () => {
      const [, port] = await start(slow, { maxPendingResponses: 3 });
      const client = await open(port, { tls });
      clients.push(client);
      let text = "";
      client.on("data", (chunk: string) => (text += chunk));
      const received = () => text.split("HTTP/1.1 ").length - 1;
      client.write(GET.repeat(3));
      for (let sent = 3; sent < 12; sent++) {
        while (received() < sent - 2) await once(client, "data");
        client.write(GET);
      }
      while (received() < 12) await once(client, "data");
      for (let i = 0; i < 3; i++) {
        const before = received();
        client.write(GET.repeat(3));
        while (received() < before + 3) await once(client, "data");
      }
      expect(text).not.toContain(" 429 ");
      expect(seen).toHaveLength(21);
    });

    it("does not count a response that has its end and is under way", async () => {
      const app: RequestListener = (req, res) => {
        if (req.url === "/large") res.end(LARGE);
        else slow(req, res);
      };
      const [, port] = await start(app, { maxPendingResponses: 3 });
      const text = await exchange(port, GET.replace("/", "/large") + GET.repeat(4), { tls });
      expect(parseAnswers(text).map(({ status }) => status)).toEqual([200, 200, 200, 200, 429]);
    });

    it("cuts off a client that sends 10,000 requests and reads nothing, and calls the app for few of them", async () => {
      let calls = 0;
      const [server, port] = await start(
        (_req, res) => {
          calls++;
          res.end(LARGE.subarray(0, 65_536));
        },
        { writeTimeout: 500 },
      );
      const client = await openSlow(port);
      client.write(GET.repeat(10_000));
      await untilConnections(server, 0);
      expect(calls).toBeLessThanOrEqual(200);
    });

    it("with false lets any number wait", async () => {
      const [, port] = await start(slow, { maxPendingResponses: false });
      const text = await exchange(port, GET.repeat(499) + LAST_GET, { tls });
      expect(parseAnswers(text).filter(({ status }) => status === 200)).toHaveLength(500);
    });
  });

  describe("option maxRequestsPerSocket", () => {
    const urls: string[] = [];
    const ok: RequestListener = (req, res) => {
      urls.push(String(req.headers.expect));
      res.end("ok");
    };
    beforeEach(() => void urls.splice(0));

    it.each([
      [2, [undefined, undefined]],
      [3, [undefined, undefined, "close"]],
      [4, [undefined, undefined, "close"]],
    ])("of 3 closes the connection after the third of %d", async (count, closes) => {
      const [, port] = await start(ok, { maxRequestsPerSocket: 3 });
      const client = await open(port, { tls });
      clients.push(client);
      const text = readUntilClose(client);
      client.write(GET.repeat(count));
      if (count === 2) setTimeout(() => client.end(), 200);
      const connections = parseAnswers(await text).map(({ headers }) => headers["connection"]);
      expect(connections.map((value) => (value === "close" ? value : undefined))).toEqual(closes);
      expect(urls).toHaveLength(Math.min(count, 3));
    });

    it("counts a request that expects 100 (Continue) once", async () => {
      const [, port] = await start(ok, { maxRequestsPerSocket: 2 });
      const post = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n";
      const client = await open(port, { tls });
      const text = readUntilClose(client);
      let received = "";
      client.on("data", (chunk: string) => {
        if (!received.includes(" 200 ") && (received += chunk).includes(" 200 ")) client.write(post);
      });
      client.write(post);
      const answers = parseAnswers(await text);
      expect(answers.map(({ status }) => status)).toEqual([100, 200, 100, 200]);
      expect(answers[1]?.headers["connection"]).not.toBe("close");
      expect(answers[3]?.headers["connection"]).toBe("close");
    });

    it("lets a connection have any number without it", async () => {
      const [, port] = await start(ok);
      const client = await openSlow(port);
      let text = "";
      client.on("data", (chunk: string) => (text += chunk));
      for (let i = 1; i <= 1_500; i++) {
        client.write(GET);
        while (text.split("HTTP/1.1 200").length - 1 < i) await once(client, "data");
        if (i % 100 === 0) await sleep(0);
      }
      expect(urls).toHaveLength(1_500);
    });
  });
});

test("writeTimeout of createServer() cuts off a thousand clients that read nothing", async () => {
  const body = LARGE.subarray(0, 1_048_576);
  let requests = 0;
  const server = createServer(() => undefined, { writeTimeout: 500 });
  servers.push(server);
  server.on("request", (_req, res) => {
    requests++;
    res.end(body);
  });
  // over TCP the kernel would hold 4 MB for each
  const folder = mkdtempSync(join(tmpdir(), "etiquette-"));
  const path = join(folder, "socket");
  await once(server.listen(path), "listening");
  for (let i = 0; i < 1_000; i++) {
    const client = connect(path);
    clients.push(client.on("error", () => undefined));
    await once(client, "connect");
    client.write(GET);
  }
  await until(() => requests === 1_000);
  await untilConnections(server, 0);
  rmSync(folder, { recursive: true });
});

/** Send a request and wait for the response. */
async function answered(client: Socket): Promise<Socket> {
  client.write(GET);
  const [chunk] = (await once(client, "data")) as [Buffer];
  expect(String(chunk)).toContain("200 OK");
  return client;
}

async function untilConnections(server: Server, expected: number): Promise<void> {
  const count = promisify(server.getConnections.bind(server));
  await until(async () => (await count()) === expected);
}

describe("createServer()", () => {
  it.each(["writeTimeout", "maxConnections", "maxConnectionsPerIp", "maxPendingResponses", "maxRequestsPerSocket"])(
    "refuses another %s than a positive integer, false or Infinity",
    (option) => {
      const max = option === "writeTimeout" ? 3_600_000 : 1_000_000;
      for (const value of [1, max, false, Infinity, undefined]) {
        expect(() => createServer(() => undefined, { [option]: value })).not.toThrow();
      }
      for (const value of [0, -1, 1.5, max + 1, "1", null, true, NaN]) {
        expect(() => createServer(() => undefined, { [option]: value })).toThrow(
          new TypeError(`createServer: option \`${option}\` must be an integer from 1 to ${max}, false or Infinity`),
        );
      }
    },
  );

  it("refuses a trust that is no list of proxies", () => {
    for (const value of [() => ["loopback"], {}, [1]]) {
      expect(() => createServer(() => undefined, { trust: value as never })).toThrow(
        "createServer: option `trust` must be a list of addresses, CIDR blocks, `loopback`, `linklocal` or `uniquelocal`",
      );
    }
    for (const value of ["0.0.0.0/0", "nonsense", 1]) {
      expect(() => createServer(() => undefined, { trust: value as never })).toThrow(/^createServer: option `trust`: /);
    }
  });
});
