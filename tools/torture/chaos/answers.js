"use strict";

const { GONE } = require("./model.js");

/** What one response is, whoever judges it. */

/** Whether the server refuses a request as it says that it does: 503 with `Retry-After` and the error of this request. */
function isRefusal({ status, headers, body }) {
  if (status !== 503) return false;
  return /^\d+$/.test(headers["retry-after"] ?? "") && body?.errorId === requestIdOf({ headers });
}

/** Whether no node has answered: HAProxy did. */
function isFromBalancer({ headers }) {
  return requestIdOf({ headers }) === undefined;
}

function requestIdOf({ headers }) {
  return headers["x-svc-request-id"];
}

/** The value of an org in a response to WebFinger, see model.js; `undefined` if it is neither. */
function valueOf({ status, body }) {
  if (status === 404 && body?.errorCode === "E0000007") return GONE;
  return status === 200 ? body?.links?.[0]?.titles?.und : undefined;
}

module.exports = { isFromBalancer, isRefusal, requestIdOf, valueOf };
