import type { RequestListener } from "node:http";
import type { Response } from "express";
import { createFastResponse } from "./fast-responses.js";
import { isExpressApp } from "./messages.js";
import { filterRoutes } from "./route-filter.js";

/** By the prototype of all responses of one version of Express; `null` when that is not known. */
const fastResponses = new WeakMap<object, Response | null>();

/**
 * Give the responses of an Express app faster functions that send the same bytes. They are put between `app.response` and
 * Express's own prototype, so whatever the app defines on `app.response`, before or after, still comes first.
 */
export function accelerateResponses(app: RequestListener): void {
  if (!isExpressApp(app)) return;
  const express = Object.getPrototypeOf(app.response) as Response;
  let fast = fastResponses.get(express);
  if (fast === undefined) {
    fast = createFastResponse(express) ?? null;
    fastResponses.set(express, fast);
  }
  if (fast) Object.setPrototypeOf(app.response, fast);
}

/** Make the routes of an Express app faster. Call it when the app gets requests, because Express 5 makes the router late. */
export function accelerateRoutes(app: RequestListener): void {
  if (!isExpressApp(app)) return;
  const holder = app as { _router?: unknown; router?: unknown };
  const router = "lazyrouter" in app ? holder._router : holder.router; // Express 4 throws when `router` is read
  if (router) filterRoutes(router);
}
