/** @jest-environment node */
import { createServer, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import * as nodeSockets from "../../../lib/server/node-sockets.js";
import { createWriteBatch } from "../../../lib/server/write-batch.js";
import { listen, open, readUntilClose } from "../../support/raw-socket.js";

// a copy, because what a module exports can't be replaced
jest.mock("../../../lib/server/node-sockets.js", () => ({
  __esModule: true,
  ...jest.requireActual<object>("../../../lib/server/node-sockets.js"),
}));

const HEAD_OF_200 = "HTTP/1.1 200 OK\r\nContent-Length: 10000\r\nConnection: close\r\n\r\n";

const pending: ServerResponse[] = [];
const server = createServer((_req, res) => pending.push(res)).on("connection", createWriteBatch());
let port: number;
let clients: Socket[];

beforeAll(async () => {
  port = await listen(server);
});
beforeEach(() => {
  clients = [];
});
afterEach(() => {
  for (const client of clients) client.destroy();
});
afterAll(() => {
  server.close();
});

/** The responses to `count` requests, each on a connection of its own, none answered yet. */
async function arrive(count: number): Promise<ServerResponse[]> {
  pending.length = 0;
  const opened = await Promise.all(Array.from({ length: count }, () => open(port)));
  clients.push(...opened);
  for (const client of opened) client.on("error", () => undefined).write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  while (pending.length < count) await nextTurn();
  return [...pending];
}

async function answerTogether(count: number): Promise<void> {
  for (const res of await arrive(count)) res.end();
  await nextTurn();
}

/** An answer that has `length` bytes with its head. */
function answer(res: ServerResponse, length: number, toBody = (text: string): string | Buffer => text): void {
  res.sendDate = false;
  const bodyLength = length - HEAD_OF_200.length;
  res.writeHead(200, { "Content-Length": bodyLength, Connection: "close" }).end(toBody("x".repeat(bodyLength)));
}

/** When what Node writes at the end of this tick is written. */
const nextTick = promisify((done: () => void) => {
  process.nextTick(done);
});

const waits = (res: ServerResponse): boolean => (res.socket?.writableLength ?? 0) > 0;

describe("createWriteBatch", () => {
  it("lets answers wait for the end of the turn when the turn before had three or more", async () => {
    await answerTogether(1);
    for (const [count, expected] of [
      [1, false],
      [2, false],
      [3, false],
      [2, true],
      [4, false],
      [3, true],
      [1, true],
      [1, false],
    ] as const) {
      const responses = await arrive(count);
      const waited = responses.map((res) => waits(res.end("text")));
      expect(waited).toEqual(Array(count).fill(expected));
      await nextTurn();
      expect(responses.some(waits)).toBe(false);
      expect(responses.every((res) => res.writableFinished)).toBe(true);
    }
  });

  it.each([
    ["characters", (text: string) => text],
    ["bytes", (text: string) => Buffer.from(text)],
  ])("lets an answer of 16384 %s wait, not a larger one", async (_unit, toBody) => {
    for (const [length, expected] of [
      [16_383, true],
      [16_384, true],
      [16_385, false],
    ] as const) {
      await answerTogether(3);
      const [res] = (await arrive(1)) as [ServerResponse];
      const text = readUntilClose(clients.at(-1)!);
      answer(res, length, toBody);
      expect(waits(res)).toBe(expected);
      expect(await text).toHaveLength(length);
    }
  });

  it("lets no more than 64 answers wait", async () => {
    await answerTogether(3);
    const responses = await arrive(66);
    const end = (from: number, to: number): void => {
      for (const res of responses.slice(from, to)) res.end("text");
    };
    end(0, 63);
    expect(responses.filter(waits)).toHaveLength(63);
    end(63, 64);
    expect(responses.filter(waits)).toHaveLength(0);
    end(64, 66);
    expect(responses.filter(waits)).toHaveLength(2);
    await nextTurn();
    expect(responses.filter(waits)).toHaveLength(0);
  });

  it("lets no answer wait on a Node that does not note it on its socket", async () => {
    await answerTogether(3);
    jest.spyOn(nodeSockets, "responseOn").mockReturnValue(undefined);
    const responses = await arrive(2);
    expect(responses.map((res) => waits(res.end("text")))).toEqual([false, false]);
    jest.restoreAllMocks();
  });

  it("leaves pieces of a stream alone", async () => {
    await answerTogether(3);
    const responses = await arrive(2);
    for (const res of responses) res.write("piece");
    await nextTick();
    expect(responses.some(waits)).toBe(false);
    for (const res of responses) expect(waits(res.end("last"))).toBe(false);
  });

  it("counts pieces of a stream for no answer", async () => {
    await answerTogether(1);
    const responses = await arrive(2);
    for (const res of responses) res.write("piece");
    await nextTick();
    for (const res of responses) res.end("last");
    await nextTurn();
    const [res] = (await arrive(1)) as [ServerResponse];
    expect(waits(res.end())).toBe(false);
  });

  it("leaves a socket alone that carries no response", async () => {
    await answerTogether(3);
    const [res] = (await arrive(1)) as [ServerResponse];
    const socket = res.socket!;
    res.detachSocket(socket);
    const text = readUntilClose(clients.at(-1)!);
    socket.cork();
    socket.write("frame");
    socket.uncork();
    expect(socket.writableLength).toBe(0);
    socket.destroy();
    expect(await text).toBe("frame");
  });

  it("leaves what a user has corked twice as it is", async () => {
    await answerTogether(3);
    const [res] = (await arrive(1)) as [ServerResponse];
    const socket = res.socket!;
    socket.cork();
    socket.cork();
    socket.write("HTTP/1.1 103 Early Hints\r\n\r\n");
    socket.uncork();
    await nextTurn();
    expect(socket.writableCorked).toBe(1);
    expect(waits(res)).toBe(true);
    socket.uncork();
    await nextTurn();
    expect(waits(res)).toBe(false);
  });

  it("writes what waits although the socket is corked meanwhile", async () => {
    await answerTogether(3);
    const [res] = (await arrive(1)) as [ServerResponse];
    const socket = res.socket!;
    res.end("text");
    socket.cork();
    socket.uncork();
    socket.cork();
    await nextTurn();
    expect(socket).toMatchObject({ writableCorked: 0, writableLength: 0 });
  });

  it("counts an answer once, however often its socket is uncorked", async () => {
    await answerTogether(3);
    const [first] = (await arrive(1)) as [ServerResponse];
    first.end("text");
    first.socket!.uncork(); // as Node 22 and 24 do
    expect(waits(first)).toBe(true);
    await nextTurn();
    const [second] = (await arrive(1)) as [ServerResponse];
    expect(waits(second.end("text"))).toBe(false);
  });

  it("writes an answer before its socket is destroyed", async () => {
    await answerTogether(3);
    const [res] = (await arrive(1)) as [ServerResponse];
    const text = readUntilClose(clients.at(-1)!);
    res.end("text");
    expect(waits(res)).toBe(true);
    expect(res.socket!.destroy()).toHaveProperty("destroyed", true);
    expect(await text).toMatch(/\r\n\r\ntext$/);
  });

  it("takes a client that resets the connection while its answer waits", async () => {
    await answerTogether(3);
    const [gone, other] = (await arrive(2)) as [ServerResponse, ServerResponse];
    const closed = new Promise((resolve) => gone.on("close", resolve));
    clients.find(({ localPort }) => localPort === gone.req.socket.remotePort)?.resetAndDestroy();
    gone.end("text");
    other.end("text");
    await closed;
    await nextTurn();
    expect(waits(other)).toBe(false);
  });
});
