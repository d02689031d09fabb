import { once } from "node:events";
import net from "node:net";

/** A way to a server that can be cut and restored. */
export interface TcpProxy {
  readonly port: number;
  /** Break all connections and refuse new ones. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  /** Break all connections; accept new ones and say nothing. */
  silence(): Promise<void>;
}

/** Pass on what comes to a port of the loopback to `target`. */
export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<net.Socket>();
  let isSilent = false;
  const server = net.createServer((client) => {
    if (isSilent) {
      sockets.add(client.on("error", () => undefined).resume());
      return;
    }
    const upstream = net.connect(target);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("error", () => to.destroy());
      from.once("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  const listen = async (port: number): Promise<void> => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  const cut = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    if (!server.listening) return;
    server.close();
    await once(server, "close");
  };
  server.unref(); // a test that fails must not keep the process
  await listen(0);
  const { port } = server.address() as net.AddressInfo;
  const restore = async (): Promise<void> => {
    isSilent = false;
    await listen(port);
  };
  const silence = async (): Promise<void> => {
    await cut();
    isSilent = true;
    await listen(port);
  };
  return { port, cut, restore, silence };
}
