import type { Request, RequestHandler } from "express";
import { getRequestContext } from "etiquette/request-context";
import { createRequestSlot } from "etiquette/request-slot";
import { apiError } from "../model/api-error.js";
import { createTurns } from "../pace/turns.js";
import { getTenant } from "../tenancy/tenant.js";
import { networkOf } from "./rate-budgets.js";

/** How many bytes of public files one address may leave unread: some of the largest files, uncompressed. */
const FILE_BYTES = 16_777_216;

/** What waits of all orgs together may be so many times what may wait of one. */
const ORGS = 4;

/** A response in memory takes so many bytes more than its body. */
const RESPONSE_BYTES = 1_024;

/** Lists, exports and so on have up to some megabytes, so few are made at a time. Waiting ones of an org are 503 if there are many. */
const LONG = { size: 16, share: 2, maxWaiting: 1_000, patience: 10_000, rest: setImmediate };

/** Single records are shorter. */
const SHORT = { size: 64, share: 16, maxWaiting: 1_000, patience: 10_000 };

const RETRY_AFTER_SECONDS = "5";

/** How long the responses of an operation can be; `undefined` for those that are made one after the other anyway. */
export type ResponseLength = "long" | "short" | undefined;

export interface ResponseRoom {
  /**
   * The handler, which makes a response, when it is its org's turn and the org has room for it: 429 `E0000047` while so many
   * bytes of the org's responses wait for clients that don't take them.
   */
  bound(handler: RequestHandler, length: ResponseLength): RequestHandler;
}

/** Who leaves responses unread. */
interface RoomOwner {
  /** `org`, `address` */
  readonly kind: string;
  find(req: Request): string;
}

const ORG: RoomOwner = { kind: "org", find: (req) => getTenant(req).org.id };

const ADDRESS: RoomOwner = { kind: "address", find: (req) => networkOf(getRequestContext(req).ip ?? "") };

/** On a socket: releases what waits on it. A response that waits behind another one doesn't learn that the socket closes. */
const releases = createRequestSlot<Set<() => void>>("responseRoom.releases");

/** The room of the files that everybody may read, so that one address has a bound and the others keep an equal share. */
export function createFileRoom(): ResponseRoom {
  return createResponseRoom(FILE_BYTES, ADDRESS);
}

/**
 * Bound the memory of responses that clients have not taken.
 *
 * @param perOrg the most bytes of one org that wait before its further requests are refused. Beyond four times as many of all
 *   orgs, those are refused that have more than an equal share
 */
export function createResponseRoom(perOrg: number, owner = ORG): ResponseRoom {
  const turns = { long: createTurns(LONG), short: createTurns(SHORT) };
  const waiting = new Map<string, number>(); // by org
  let total = 0;

  return {
    bound(handler, length) {
      return async function boundResponse(req, res, next) {
        const id = owner.find(req);
        const work = async (): Promise<void> => {
          if (isGone(req)) return;
          assertRoom(id);
          await handler(req, res, next);
          if (res.writableEnded && !res.writableFinished && !isGone(req)) {
            hold(id, Number(res.getHeader("Content-Length") ?? 0) + RESPONSE_BYTES, req.socket, res);
          }
        };
        await (length === undefined ? work() : turns[length].run(id, work));
      };
    },
  };

  function assertRoom(orgId: string): void {
    const own = waiting.get(orgId) ?? 0;
    if (own <= perOrg && (total <= ORGS * perOrg || own <= (ORGS * perOrg) / waiting.size)) return;
    throw apiError("E0000047", {
      type: "responses.unread",
      headers: { "Retry-After": RETRY_AFTER_SECONDS },
      causes: [
        `${own} bytes of responses of this ${owner.kind} wait for clients that don't read them; read responses.`,
      ],
    });
  }

  function hold(
    orgId: string,
    bytes: number,
    socket: object,
    res: { once(name: "close", listener: () => void): unknown },
  ) {
    add(orgId, bytes);
    const held = heldOn(socket);
    const release = (): void => {
      if (held.delete(release)) add(orgId, -bytes);
    };
    held.add(release);
    res.once("close", release);
  }

  function add(orgId: string, bytes: number): void {
    total += bytes;
    const own = (waiting.get(orgId) ?? 0) + bytes;
    if (own > 0) waiting.set(orgId, own);
    else waiting.delete(orgId);
  }
}

function isGone({ socket }: Request): boolean {
  return socket.destroyed;
}

/** What waits on a socket, released when it closes. */
function heldOn(socket: object): Set<() => void> {
  const known = releases.tryGet(socket);
  if (known) return known;
  const held = new Set<() => void>();
  releases.set(socket, held);
  (socket as NodeJS.EventEmitter).once("close", () => {
    for (const release of held) release();
  });
  return held;
}
