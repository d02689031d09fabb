import type { ProtocolErrorReport } from "etiquette/create-server";
import type { ErrorReport } from "etiquette/error-formatter";
import { tryGetPrincipal, type Principal } from "etiquette/authenticate";
import { tryGetRequestContext, type RequestContextRecord } from "etiquette/request-context";
import { getRequestId } from "etiquette/request-id";
import { createRequestSlot } from "etiquette/request-slot";
import type { Request, Response } from "express";
import type { RoutingDecision } from "../tenancy/routing-cache.js";
import { tryGetTenant, type RequestTenant } from "../tenancy/tenant.js";
import type { FingerprintHash } from "./fingerprints.js";
import { parseTraceId } from "./trace-parent.js";

/** Data kept about a request until it ends. */
export interface RequestNotes {
  /** A value of `performance.now()`. */
  readonly startTime: number;
  /** The address of the TCP peer, noted because a closed socket has none. */
  readonly peer: string | undefined;
  readonly hashFingerprint: FingerprintHash;
  /** Whether an event of a change was recorded. The log contains it if the transaction was committed. */
  hasRecorded: boolean;
  /** The last error that was sent to the client. */
  refusal: Pick<ErrorReport | ProtocolErrorReport, "status" | "errorObject"> | undefined;
  /** The cause of a 5xx, which is not sent to the client. */
  failure: unknown;
  /** The rate limit that the request exceeded; `null` when another request of the window has the event (rule S8). */
  exceeded: string | null | undefined;
  /** Why the request was refused, for the log of the org alone. */
  hint?: string;
  /** What routing rules decided for the request. */
  decision?: RoutingDecision;
  /** Whether the console sent it. */
  isOfConsole?: boolean;
}

/** Keep that a page of the console sent the request. What it reads while somebody types may fail without a warning. */
export function noteConsole(req: Request): void {
  const notes = requestNotes.tryGet(req);
  if (notes) notes.isOfConsole = true;
}

/** Set by `observeRequests()`. */
export const requestNotes = createRequestSlot<RequestNotes>("observeRequests");

/** Say in the log of the org why the request is refused. The client is not told. */
export function noteHint(req: Request, hint: string): void {
  requestNotes.get(req).hint = hint;
}

/** Keep what routing rules decided for the request, for the event and the metrics. */
export function noteDecision(req: Request, decision: RoutingDecision): void {
  requestNotes.get(req).decision = decision;
}

/** Data about a request, small enough to keep for thousands of requests. */
export interface RequestFacts {
  readonly id: string;
  /** `undefined` when the head could not be read; so is `url`. */
  readonly method: string | undefined;
  /** The request target as received. */
  readonly url: string | undefined;
  /** The address of the TCP peer. */
  readonly peer: string | undefined;
  readonly rawUserAgent: string | undefined;
  /** `undefined` when the request failed earlier; so are `principal` and `tenant`. */
  readonly context?: RequestContextRecord | undefined;
  /** A hash of the device's fingerprint. */
  readonly deviceFingerprint?: string | undefined;
  readonly principal?: Principal | null | undefined;
  readonly tenant?: RequestTenant | undefined;
}

/** A request after its response was sent or its connection was lost. */
export interface EndedRequest {
  readonly facts: RequestFacts;
  /** Whether the request reached the app. */
  readonly isServed: boolean;
  /** The `Host` field. */
  readonly host: string | undefined;
  /** The path of the route that matched, in Express syntax and below its router. */
  readonly route?: string | undefined;
  /** The trace that the client says the request is part of. */
  readonly traceId?: string | undefined;
  /** The duration in milliseconds, if the request reached the app. */
  readonly duration?: number;
  /** The status of the response object, whether its head was sent or not. */
  readonly statusCode: number;
  /** The status sent to the client; `undefined` when no response was begun. */
  readonly status: number | undefined;
  /** Whether the whole response was sent. */
  readonly isFinished: boolean;
  /** Whether the whole response was sent and is not an error. */
  readonly isSuccess: boolean;
  /** The code of the error that was sent to the client, if any. */
  readonly errorCode: string | undefined;
  readonly errorSummary: string | undefined;
  /** The rate limit that the request was the first to exceed. */
  readonly exceeded?: string | undefined;
  /** What {@link noteHint} said. */
  readonly hint?: string | undefined;
  /** What {@link noteDecision} was told. */
  readonly decision?: RoutingDecision | undefined;
  /** Whether {@link noteConsole} was told. */
  readonly isOfConsole?: boolean | undefined;
}

/** The current facts of `req`. The result does not keep `req` in memory. */
export function gatherFacts(req: Request): RequestFacts {
  const context = tryGetRequestContext(req);
  const tenant = tryGetTenant(req);
  const { peer, hashFingerprint } = requestNotes.get(req);
  const fingerprint = context?.fingerprint;
  return {
    id: getRequestId(req),
    method: req.method,
    url: req.originalUrl,
    peer,
    rawUserAgent: req.headers["user-agent"],
    context: context?.toJSON(),
    deviceFingerprint: fingerprint && tenant && hashFingerprint(tenant.org.id, fingerprint),
    principal: tryGetPrincipal(req),
    tenant,
  };
}

export function gatherEnd(req: Request, res: Response, notes: RequestNotes): EndedRequest {
  const { startTime, refusal, exceeded, hint, decision, isOfConsole } = notes;
  const { statusCode, headersSent, writableFinished } = res;
  const status = refusal?.status ?? (headersSent ? statusCode : undefined);
  return {
    facts: gatherFacts(req),
    isServed: true,
    host: req.headers.host,
    route: routeOf(req),
    traceId: parseTraceId(req.headers["traceparent"]),
    duration: performance.now() - startTime,
    statusCode,
    status,
    isFinished: writableFinished,
    isSuccess: writableFinished && status !== undefined && status < 400,
    errorCode: refusal?.errorObject.errorCode,
    errorSummary: refusal?.errorObject.errorSummary,
    exceeded: exceeded ?? undefined,
    hint,
    decision,
    isOfConsole,
  };
}

/** The end of a request that did not reach the app, or that failed below it. */
export function gatherRefusal({ req, status, errorObject, remoteAddress }: ProtocolErrorReport): EndedRequest {
  const { errorId, errorCode, errorSummary } = errorObject;
  return {
    facts: {
      id: errorId,
      method: req?.method,
      url: req?.url,
      peer: remoteAddress,
      rawUserAgent: req?.headers["user-agent"],
    },
    isServed: false,
    host: req?.headers.host,
    traceId: parseTraceId(req?.headers["traceparent"]),
    statusCode: status,
    status,
    isFinished: true,
    isSuccess: false,
    errorCode,
    errorSummary,
  };
}

/** The path of the route that a request matched last; `undefined` for one with several paths, such as those of CORS. */
export function routeOf({ route }: Request): string | undefined {
  const path = (route as { path: unknown } | undefined)?.path;
  return typeof path === "string" ? path : undefined;
}
