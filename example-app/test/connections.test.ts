import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import tls from "node:tls";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { trackConnections, type Connections } from "../src/connections.js";
import { createTestCertificate } from "../../test/support/tls.js";
import { until } from "../../test/support/until.js";

const GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

describe.each(["HTTP", "HTTPS"])("trackConnections() over %s", (scheme) => {
  let server: http.Server;
  let connections: Connections;
  /** The responses that wait for the test to end them. */
  let responses: http.ServerResponse[];
  let ca: string;
  const clients: net.Socket[] = [];

  beforeEach(async () => {
    const { key, cert } = await createTestCertificate();
    ca = cert;
    responses = [];
    server = scheme === "HTTP" ? http.createServer() : https.createServer({ key, cert });
    connections = await listen(server);
    server.on("request", (_req, res: http.ServerResponse) => void responses.push(res));
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy();
    server.closeAllConnections();
    server.close();
  });

  /** A connection to the server; `received` grows as it answers. */
  async function connect(): Promise<{ socket: net.Socket; received: string; closed: boolean }> {
    const { port } = server.address() as net.AddressInfo;
    const secure = scheme === "HTTPS";
    const socket = secure
      ? tls.connect({ port, host: "127.0.0.1", ca, servername: "localhost" })
      : net.connect(port, "127.0.0.1");
    clients.push(socket);
    const client = { socket, received: "", closed: false };
    socket.on("data", (chunk) => (client.received += String(chunk)));
    socket.on("error", () => undefined);
    socket.on("close", () => (client.closed = true));
    await once(socket, secure ? "secureConnect" : "connect");
    return client;
  }

  it("ends at once when nothing is in flight, and closes idle connections", async () => {
    const client = await connect();
    client.socket.write(GET);
    await until(() => responses.length === 1);
    responses[0]!.end("done");
    await until(() => client.received.endsWith("done"));
    await connections.drain(60_000);
    await until(() => client.closed);
  });

  it("lets a request in flight finish and says that the connection closes", async () => {
    const client = await connect();
    client.socket.write(GET);
    await until(() => responses.length === 1);
    const drained = connections.drain(60_000);
    await sleep(700); // longer than silent connections are kept
    responses[0]!.end("done");
    await drained;
    await until(() => client.closed);
    expect(client.received).toMatch(/\r\nConnection: close\r\n[^]*done$/);
  });

  it("lets an answer finish that has begun, and then closes its connection", async () => {
    const client = await connect();
    client.socket.write(GET);
    await until(() => responses.length === 1);
    responses[0]!.write("first");
    await until(() => client.received.includes("first"));
    const drained = connections.drain(60_000);
    await sleep(700);
    responses[0]!.end("last");
    await drained;
    await until(() => client.closed);
    expect(client.received).toContain("last");
  });

  it("leaves nothing that keeps a closed server in memory", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const kept = await drainServer(scheme === "HTTP" ? http.createServer : https.createServer);
    await until(() => {
      collect();
      return kept.deref() === undefined;
    });
  });

  it("refuses new connections", async () => {
    const client = await connect();
    client.socket.write(GET);
    await until(() => responses.length === 1);
    const { port } = server.address() as net.AddressInfo;
    const drained = connections.drain(60_000);
    const refused = net.connect(port, "127.0.0.1");
    const [error] = await once(refused, "error");
    expect(error.code).toBe("ECONNREFUSED");
    responses[0]!.end();
    await drained;
  });

  it("answers a request that comes on an open connection in the meantime", async () => {
    const client = await connect();
    const drained = connections.drain(60_000);
    client.socket.write(GET);
    await until(() => responses.length === 1);
    responses[0]!.end("done");
    await drained;
    await until(() => client.closed);
    expect(client.received).toMatch(/\r\nConnection: close\r\n[^]*done$/);
  });

  it("does not wait for connections that bring no request", async () => {
    const { port } = server.address() as net.AddressInfo;
    const silent = await connect();
    const half = await connect();
    half.socket.write("GET / HTTP/1.1\r\nHo");
    const unsecured = net.connect(port, "127.0.0.1"); // over TLS it does not even shake hands
    clients.push(unsecured);
    unsecured.on("error", () => undefined);
    await once(unsecured, "connect");
    await connections.drain(60_000);
    await until(() => silent.closed && half.closed);
  });

  it("cuts off what has not finished at the deadline", async () => {
    const client = await connect();
    client.socket.write(GET);
    await until(() => responses.length === 1);
    await connections.drain(100);
    await until(() => client.closed);
    expect(client.received).toBe("");
  });
});

async function listen(server: http.Server): Promise<Connections> {
  const connections = trackConnections(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return connections;
}

/** A server that has ended. */
async function drainServer(create: () => http.Server): Promise<WeakRef<http.Server>> {
  const server = create();
  await (await listen(server)).drain(60_000);
  return new WeakRef(server);
}
