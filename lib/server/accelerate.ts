import type { RequestListener } from "node:http";
import type { Response } from "express";
import { createFastResponse } from "./fast-responses.js";
import { isExpressApp } from "./messages.js";

/** By the prototype of all responses of one version of Express; `null` when that is not known. */
const fastResponses = new WeakMap<object, Response | null>();

/**
 * Give an Express app faster functions that send the same bytes. They are put between `app.response` and Express's own
 * prototype, so whatever the app defines on `app.response`, before or after, still comes first.
 */
export function accelerate(app: RequestListener): void {
  if (!isExpressApp(app)) return;
  const express = Object.getPrototypeOf(app.response) as Response;
  let fast = fastResponses.get(express);
  if (fast === undefined) {
    fast = createFastResponse(express) ?? null;
    fastResponses.set(express, fast);
  }
  if (fast) Object.setPrototypeOf(app.response, fast);
}
