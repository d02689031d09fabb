import type { Socket } from "node:net";
import { networkOf } from "../net/index.js";
import type { ConnectionSettings } from "./connection-settings.js";
import { createWriteTimeout } from "./write-timeout.js";

/** Whether a server may take a new connection. It then watches it. */
export type AdmitConnection = (socket: Socket) => boolean;

/** Create the limits of the connections of one server: how many there are, and how long each may not read. */
export function createConnectionLimits(settings: ConnectionSettings): AdmitConnection {
  const isWithinLimits = createCounts(settings);
  const watch = settings.writeTimeout === Infinity ? undefined : createWriteTimeout(settings.writeTimeout);

  return function admitConnection(socket) {
    if (!isWithinLimits(socket)) return false;
    watch?.(socket);
    return true;
  };
}

function createCounts({ maxConnections, maxConnectionsPerIp, isProxy }: ConnectionSettings): AdmitConnection {
  let total = 0;
  const byNetwork = new Map<string, number>();

  return function isWithinLimits(socket) {
    const network = isProxy(socket.remoteAddress) ? undefined : networkOf(socket.remoteAddress);
    const count = network === undefined ? 0 : (byNetwork.get(network) ?? 0);
    if (total >= maxConnections || count >= maxConnectionsPerIp) return false;

    total++;
    if (network !== undefined) byNetwork.set(network, count + 1);
    socket.once("close", () => {
      total--;
      if (network !== undefined) release(network);
    });
    return true;
  };

  function release(network: string): void {
    const count = byNetwork.get(network) ?? 0;
    if (count > 1) byNetwork.set(network, count - 1);
    else byNetwork.delete(network);
  }
}
