import type { IncomingMessage } from "node:http";
import type { RequestHandler } from "express";
import type { ProtocolErrorReport } from "etiquette/create-server";
import type { ErrorReport } from "etiquette/error-formatter";
import { getRequestId, tryGetRequestId } from "etiquette/request-id";
import { createRequestSlot } from "etiquette/request-slot";
import { tryGetTenant } from "../tenancy/tenant.js";
import { tryGetAudit } from "./audit.js";
import { gatherFacts, type RequestFacts } from "./describe.js";
import type { EventQueue } from "./event-queue.js";

/** What the client was told, for the event. */
const refusals = createRequestSlot<Refusal>("requestEvents");

type Refusal = Pick<ErrorReport | ProtocolErrorReport, "status" | "errorObject">;

/**
 * Have an event for each request whose id no event of a change is sure to hold (rule D2), when its answer has gone out or
 * the connection is lost.
 */
export function requestEvents(queue: Pick<EventQueue, "add">): RequestHandler {
  return function requestEventsMiddleware(req, res, next) {
    const { remoteAddress } = req.socket; // a closed socket has none
    res.on("close", () => {
      const { statusCode, headersSent, writableFinished } = res;
      const refusal = refusals.tryGet(req);
      const status = refusal?.status ?? (headersSent ? statusCode : undefined);
      const isComplete = writableFinished || refusal !== undefined;
      if (tryGetAudit(req)?.hasRecorded === true && isComplete && Number(status) < 400) return;
      queue.add({
        facts: gatherFacts(req, getRequestId(req), remoteAddress),
        orgId: tryGetTenant(req)?.org.id,
        host: req.headers.host,
        isServed: true,
        status,
        isComplete,
        reason: refusal && formatReason(refusal),
      });
    });
    next();
  };
}

/** For the error formatter: keep what the client was told for the event of the request. */
export function noteRefusal(report: Readonly<Refusal & { req: object }>): void {
  refusals.set(report.req, report);
}

/** For the server: have an event for each answer to what did not reach the app, or went wrong below it. */
export function createRefusalEvents(queue: Pick<EventQueue, "add">): (report: ProtocolErrorReport) => void {
  return function addRefusalEvent(report) {
    const { req, status, errorObject, remoteAddress } = report;
    if (req && tryGetRequestId(req) === errorObject.errorId) {
      noteRefusal({ ...report, req });
      return;
    }
    queue.add({
      facts: req ? gatherRawFacts(req, report) : { ...NO_FACTS, id: errorObject.errorId, peer: remoteAddress },
      orgId: undefined,
      host: undefined,
      isServed: false,
      status,
      isComplete: true,
      reason: formatReason(report),
    });
  };
}

function formatReason({ errorObject: { errorCode, errorSummary } }: Refusal): string {
  return `${errorCode}: ${errorSummary}`;
}

const NO_FACTS = {
  method: undefined,
  url: "",
  context: undefined,
  rawUserAgent: undefined,
  principal: undefined,
  routing: undefined,
} as const;

function gatherRawFacts(req: IncomingMessage, { errorObject, remoteAddress }: ProtocolErrorReport): RequestFacts {
  return {
    ...NO_FACTS,
    id: errorObject.errorId,
    method: req.method,
    url: req.url ?? "",
    peer: remoteAddress,
    rawUserAgent: req.headers["user-agent"],
  };
}
