import type { ProtocolErrorReport } from "etiquette/create-server";
import type { ErrorReport } from "etiquette/error-formatter";
import type { IpRangeSet } from "etiquette/ip-ranges";
import { formatError } from "etiquette/format-error";
import { getRequestId, tryGetRequestId } from "etiquette/request-id";
import type { Request, RequestHandler } from "express";
import type { Logger } from "pino";
import { NO_WATCH, type TurnWatch } from "../pace/turn-watch.js";
import type { EventQueue } from "./event-queue.js";
import type { FingerprintHash } from "./fingerprints.js";
import { findClientIp, writeLine } from "./program-log.js";
import { gatherEnd, gatherRefusal, requestNotes, type EndedRequest, type RequestNotes } from "./request-facts.js";

/** The receivers of the end of a request. */
export interface RequestSinks {
  /** The program log: one line for each request. */
  log: Logger;
  /**
   * The System Log: one event for each request (rule D2), except requests that recorded a change and succeeded,
   * and those over a rate limit after the first of a window (rule S8).
   */
  events: Pick<EventQueue, "add">;
  /** Counts of every request. */
  count?: ((end: EndedRequest) => void) | undefined;
}

export interface ObserverOptions extends RequestSinks {
  hashFingerprint: FingerprintHash;
  /** The trusted proxies of the service. */
  trustedProxies: IpRangeSet;
  /**
   * Is told when a request begins, and when its body is there.
   *
   * @default NO_WATCH
   */
  watch?: TurnWatch | undefined;
}

/** Report each request to all sinks when its response was sent or its connection was lost. */
export function observeRequests({
  log,
  events,
  count,
  hashFingerprint,
  trustedProxies,
  watch = NO_WATCH,
}: Readonly<ObserverOptions>): RequestHandler {
  return function observeRequestsMiddleware(req, res, next) {
    const notes: RequestNotes = {
      startTime: performance.now(),
      peer: req.socket.remoteAddress,
      hashFingerprint,
      hasRecorded: false,
      refusal: undefined,
      failure: undefined,
      exceeded: undefined,
    };
    requestNotes.set(req, notes);
    watch.enter("request", req, notes.startTime);
    if (hasBody(req))
      req.on("end", () => {
        watch.enter("body", req);
      });
    res.on("close", () => {
      const end = gatherEnd(req, res, notes);
      writeLine(log, end, findClientIp(end.facts, trustedProxies), notes.failure);
      if (notes.exceeded !== null && (!notes.hasRecorded || !end.isSuccess)) events.add(end);
      count?.(end);
    });
    next();
  };
}

function hasBody({ headers }: Request): boolean {
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}

/** For the error formatter: note the error that is sent to the client, and the cause of a 5xx, which is not sent. */
export function noteError(error: unknown, report: ErrorReport): void {
  const notes = requestNotes.tryGet(report.req);
  if (!notes) return; // refused because of overload, which the program log reports once
  notes.refusal = report;
  if (report.status >= 500) notes.failure = error;
}

/** Note an error that is sent as a page for people, not by the error formatter. @returns what is sent */
export function noteRefusal(error: unknown, req: Request): Pick<ErrorReport, "status" | "errorObject"> {
  const { status, body } = formatError(error, { id: getRequestId(req) });
  return (requestNotes.get(req).refusal = { status, errorObject: JSON.parse(body) as ErrorReport["errorObject"] });
}

/** Note a failure that does not change the response, for the line of the request in the program log. */
export function noteFailure(failure: unknown, req: Request): void {
  const notes = requestNotes.tryGet(req);
  if (notes) notes.failure = failure;
}

/** For the server: report to all sinks each request that did not reach the app, or that failed below it. */
export function observeProtocolErrors({ log, events, count }: Readonly<RequestSinks>) {
  return function observeProtocolError(_error: Error, report: ProtocolErrorReport): void {
    const { req, errorObject } = report;
    const end = gatherRefusal(report);
    writeLine(log, end, end.facts.peer);
    // a request that reached the app gets its event when it ends
    if (req && tryGetRequestId(req) === errorObject.errorId) {
      requestNotes.get(req).refusal = report;
      return;
    }
    events.add(end);
    count?.(end);
  };
}
