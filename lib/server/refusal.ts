import { randomBytes } from "node:crypto";
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { RequestFault } from "../faults/index.js";
import { apiError } from "../errors/index.js";
import { createIdGenerator, isRequestId, negotiatedType } from "../http/index.js";
import { createRequestSlot } from "../factory/index.js";
import { closeInStages, discardInput } from "./close-in-stages.js";
import { notesResponses, responseOn } from "./node-sockets.js";
import type { ProtocolSettings } from "./protocol-options.js";
import { formatRawResponse } from "./raw-response.js";

/** The fields of every error. */
const FIELDS = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
};

/** What middlewares set on a response that is not sent, so that a page can read the refusal in its place. */
const CORS_FIELDS = [
  "Vary",
  "Access-Control-Allow-Origin",
  "Access-Control-Allow-Credentials",
  "Access-Control-Expose-Headers",
];

/** Sockets on which a request was refused. */
const refused = createRequestSlot<true>("protocolErrors.refused");

/**
 * Send an error response on a socket and close it, after the responses to earlier requests.
 *
 * @param req the refused request, when its head could be read
 * @param hasResponse whether Node made a response for `req`
 */
export type Refuse = (socket: Socket, fault: RequestFault, req?: IncomingMessage, hasResponse?: boolean) => void;

/** Whether a request on `socket` was refused. No further request on it is served. */
export function isRefused(socket: Socket): boolean {
  return refused.tryGet(socket) === true;
}

export function createRefusal({ headerName, generator, log, formatError }: ProtocolSettings): Refuse {
  const defaultGenerator = createIdGenerator(randomBytes);
  const seesResponses = notesResponses();

  return function refuse(socket, fault, req, hasResponse = false) {
    refused.set(socket, true);
    settle();
    discardInput(socket);

    function settle(): void {
      if (!socket.writable) return; // closed, or closing after a response with `Connection: close`
      const response = responseOn(socket);
      if (!seesResponses) {
        socket.destroy(); // an error response might end up inside the response to an earlier request
      } else if (response && (response.req !== req || response.writableEnded)) {
        response.once("close", settle);
      } else if (response?.headersSent) {
        socket.destroy(); // a response is half sent, so no other response can be sent
      } else {
        const responded = hasResponse && !response;
        closeInStages(socket, responded ? "" : compose(response));
      }
    }

    function compose(response: ServerResponse | undefined): string {
      const error = apiError(...fault);
      const id = identify(response);
      const occurrence = { id, retryAfter: undefined, negotiatedType: req && negotiatedType.tryGet(req) };
      const { status, errorObject, mediaType, body, failures } = formatError(error, occurrence, req);
      const facts = { errorObject, remoteAddress: socket.remoteAddress, req };
      void report(error, { status, ...facts });
      for (const failure of failures) void report(failure, { status: 500, ...facts });
      const fields = { ...corsFieldsOf(response), ...fault[1].headers, [headerName]: id, "Content-Type": mediaType };
      return formatRawResponse({
        status,
        reason: STATUS_CODES[status] ?? "",
        date: new Date(),
        headers: { Connection: "close", ...fields, ...FIELDS },
        body,
        headOnly: req?.method === "HEAD",
      });
    }
  };

  function identify(response: ServerResponse | undefined): string {
    const present = response?.getHeader(headerName);
    if (isRequestId(present)) return present;
    try {
      const id: unknown = generator();
      if (isRequestId(id)) return id;
    } catch {
      // the response matters more than its id
    }
    return defaultGenerator();
  }

  /** A log that throws or rejects must not stop the response or the process. */
  async function report(...args: Parameters<typeof log>): Promise<void> {
    try {
      await log(...args);
    } catch {
      // there is nowhere else to report it
    }
  }
}

function corsFieldsOf(response: ServerResponse | undefined): Record<string, string> {
  const values = CORS_FIELDS.map((name) => [name, response?.getHeader(name)] as const);
  return Object.fromEntries(values.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));
}
