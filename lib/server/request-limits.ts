import { ServerResponse, type IncomingMessage } from "node:http";
import type { RequestFault } from "../faults/index.js";
import { createRequestSlot } from "../factory/index.js";
import type { ConnectionSettings } from "./connection-settings.js";
import { responseOn } from "./node-sockets.js";

/** Find the fault of a request that is one too many on its connection. `message` is what the server's event brings. */
export type FindExcess = (req: IncomingMessage, message: unknown) => RequestFault | undefined;

/** The place of a request among those that came while another one was under way, from 0. */
const places = createRequestSlot<number>("createServer.place");

/** On a socket: the place of the last request. */
const lastPlaces = createRequestSlot<number>("createServer.lastPlace");

/** On a socket: how many requests came. On a request: the number that it has there. */
const counts = createRequestSlot<number>("createServer.count");

/** Create the limits of the requests on one connection. */
export function createRequestLimits({ maxPendingResponses, maxRequestsPerSocket }: ConnectionSettings): FindExcess {
  const tooManyWaiting: RequestFault = [
    "E0000047",
    {
      type: "requests.pipelined",
      causes: [`More than ${maxPendingResponses} requests of this connection wait for their response; read responses.`],
    },
  ];
  const tooMany: RequestFault = [
    "E0000047",
    {
      type: "requests.exhausted",
      causes: [`This connection has brought ${maxRequestsPerSocket} requests, the most that it may; open another one.`],
    },
  ];

  return function findExcess(req, message) {
    if (waitingWith(req) > maxPendingResponses) return tooManyWaiting;
    if (maxRequestsPerSocket === Infinity) return undefined;
    const number = numberOf(req);
    if (number === maxRequestsPerSocket && message instanceof ServerResponse) message.setHeader("Connection", "close");
    return number > maxRequestsPerSocket ? tooMany : undefined;
  };
}

/** How many requests of the connection wait for their response or its end, with `req`. */
function waitingWith(req: IncomingMessage): number {
  const response = responseOn(req.socket);
  const first = response?.req;
  if (first === undefined || first === req) return 1; // nearly always
  let place = places.tryGet(first);
  if (place === undefined) {
    place = 0; // nothing waited when it came
    places.set(first, place);
    lastPlaces.set(req.socket, place);
  }
  let own = places.tryGet(req); // known if the server emits a second event for it
  if (own === undefined) {
    own = (lastPlaces.tryGet(req.socket) ?? 0) + 1;
    places.set(req, own);
    lastPlaces.set(req.socket, own);
  }
  // A client can have the whole of a response before Node is done with it.
  return own - place + (response?.writableEnded ? 0 : 1);
}

function numberOf(req: IncomingMessage): number {
  const known = counts.tryGet(req);
  if (known !== undefined) return known;
  const number = (counts.tryGet(req.socket) ?? 0) + 1;
  counts.set(req.socket, number);
  counts.set(req, number);
  return number;
}
