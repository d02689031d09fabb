import type { ProtocolErrorReport } from "etiquette/create-server";
import type { ErrorReport } from "etiquette/error-formatter";
import { tryGetPrincipal, type Principal } from "etiquette/authenticate";
import { tryGetRequestContext, type RequestContextRecord } from "etiquette/request-context";
import { getRequestId } from "etiquette/request-id";
import { createRequestSlot } from "etiquette/request-slot";
import type { Request, Response } from "express";
import { tryGetTenant, type RequestTenant } from "../tenancy/tenant.js";

/** What is noted of a request until it ends. */
export interface RequestNotes {
  /** Of `performance.now()`. */
  readonly startTime: number;
  /** The address of the TCP peer. A closed socket has none. */
  readonly peer: string | undefined;
  /** Whether an event of a change was recorded. It is in the log if its transaction was committed. */
  hasRecorded: boolean;
  /** The last error that the client was told. */
  refusal: Pick<ErrorReport | ProtocolErrorReport, "status" | "errorObject"> | undefined;
  /** The cause of a 5xx, which the client is not told. */
  failure: unknown;
}

/** Set by `observeRequests()`. */
export const requestNotes = createRequestSlot<RequestNotes>("observeRequests");

/** What is known of a request; little enough to keep it of thousands of them. */
export interface RequestFacts {
  readonly id: string;
  /** `undefined` when the head could not be read; so is `url`. */
  readonly method: string | undefined;
  /** The target as it was sent. */
  readonly url: string | undefined;
  /** The address of the TCP peer. */
  readonly peer: string | undefined;
  readonly rawUserAgent: string | undefined;
  /** `undefined` when the request did not get so far; so are `principal` and `tenant`. */
  readonly context?: Pick<RequestContextRecord, "ip" | "chain" | "userAgent"> | undefined;
  readonly principal?: Principal | null | undefined;
  readonly tenant?: RequestTenant | undefined;
}

/** A request whose response has gone out, or whose connection is lost. */
export interface EndedRequest {
  readonly facts: RequestFacts;
  /** Whether it reached the app. */
  readonly isServed: boolean;
  /** The field `Host` of one that reached the app. */
  readonly host?: string | undefined;
  /** In milliseconds, of one that reached the app. */
  readonly duration?: number;
  /** Of the response, whether its head was sent or not. */
  readonly statusCode: number;
  /** What the client was told; `undefined` when no response was begun. */
  readonly status: number | undefined;
  /** Whether the response went out whole. */
  readonly isFinished: boolean;
  /** Whether it went out whole and is no error. */
  readonly isSuccess: boolean;
  /** What the client was told, if that was an error. */
  readonly errorCode: string | undefined;
  readonly errorSummary: string | undefined;
}

/** The facts of `req` as they are now. It is not kept itself. */
export function gatherFacts(req: Request): RequestFacts {
  const context = tryGetRequestContext(req);
  return {
    id: getRequestId(req),
    method: req.method,
    url: req.originalUrl,
    peer: requestNotes.get(req).peer,
    rawUserAgent: req.headers["user-agent"],
    context: context && { ip: context.ip, chain: context.chain, userAgent: context.userAgent },
    principal: tryGetPrincipal(req),
    tenant: tryGetTenant(req),
  };
}

export function gatherEnd(req: Request, res: Response, { startTime, refusal }: RequestNotes): EndedRequest {
  const { statusCode, headersSent, writableFinished } = res;
  const status = refusal?.status ?? (headersSent ? statusCode : undefined);
  return {
    facts: gatherFacts(req),
    isServed: true,
    host: req.headers.host,
    duration: performance.now() - startTime,
    statusCode,
    status,
    isFinished: writableFinished,
    isSuccess: writableFinished && status !== undefined && status < 400,
    errorCode: refusal?.errorObject.errorCode,
    errorSummary: refusal?.errorObject.errorSummary,
  };
}

/** The end of what did not reach the app, or went wrong below it. */
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
    statusCode: status,
    status,
    isFinished: true,
    isSuccess: false,
    errorCode,
    errorSummary,
  };
}
