import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import path from "node:path";
import { edit, HAPROXY, isInstalled, startProxy, type Proxy } from "../../support/proxies.js";
import { listen } from "../../support/raw-socket.js";
import { describeIf } from "../../support/requirements.js";
import { until } from "../../support/until.js";

const CONFIG = readFileSync(path.join(__dirname, "../../../docs/examples/haproxy-nodes.cfg"), "utf8");
const WEBFINGER = "/.well-known/webfinger?resource=acct:ann@acme.example";

/** A node that answers, hangs or has ended. */
class Node {
  readonly #server: Server;
  port = 0;
  hangs = false;
  asked = 0;

  constructor() {
    // as createServer of etiquette does; Node's own would close a connection in the moment in which HAProxy uses it again
    this.#server = createServer({ keepAliveTimeout: 65_000 }, (_req, res) => {
      this.asked += 1;
      if (!this.hangs) res.end("ok");
    });
  }

  async start(): Promise<void> {
    this.port = await listen(this.#server);
  }

  end(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

jest.setTimeout(60_000);

describeIf(isInstalled(HAPROXY), "HAProxy before three nodes", `HAProxy ${HAPROXY.version[2]}`, () => {
  const nodes: Node[] = [];
  let proxy: Proxy;

  beforeEach(async () => {
    nodes.push(new Node(), new Node(), new Node());
    for (const node of nodes) await node.start();
    const servers = nodes.map(({ port }, place) => `server node${place + 1} 127.0.0.1:${port}`);
    const changes = {
      "bind :443 ssl crt /etc/haproxy/idp.example.pem": "bind :443",
      "server node1 10.0.0.1:8080\n  server node2 10.0.0.2:8080": servers.join("\n  "),
    };
    proxy = await startProxy(HAPROXY, edit(CONFIG, changes));
    await until(() => nodes.every(({ asked }) => asked >= 2)); // the probes of both backends
  });

  afterEach(async () => {
    await proxy.close();
    for (const node of nodes.splice(0)) node.end();
  });

  /** The statuses of requests that are sent together, each on a connection of its own. */
  const ask = (target: string, count: number): Promise<number[]> =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const response = await fetch(`http://127.0.0.1:${proxy.port}${target}`);
        await response.text();
        return response.status;
      }),
    );

  const ok = (count: number): number[] => Array.from({ length: count }, () => 200);

  it("answers every request at once after two of them ended", async () => {
    for (const node of nodes.slice(0, 2)) node.end();
    expect(await ask(WEBFINGER, 100)).toEqual(ok(100));
    expect(await ask("/api/v1/users", 100)).toEqual(ok(100));
  });

  it("answers every question of discovery while two of them hang", async () => {
    for (const node of nodes.slice(0, 2)) node.hangs = true;
    expect(await ask(WEBFINGER, 60)).toEqual(ok(60));
  });

  it("answers every question of discovery while one has ended and one hangs", async () => {
    nodes[0]!.end();
    nodes[1]!.hangs = true;
    expect(await ask(WEBFINGER, 60)).toEqual(ok(60));
  });
});
