"use strict";

const ID_REGEXP = /^[\w.~-]{1,128}$/;

/**
 * Find what is wrong with the responses on one connection.
 *
 * @param methods of the requests, if they are known: the response to HEAD has no body
 * @param isComplete whether each request must have its response; else the server may have refused, or the client gone
 * @returns `{ fault, statuses, failures }`: `failures` are the responses with a 5xx, each `{ status, code, id }`
 */
function checkResponses(text, { methods, isComplete }) {
  const statuses = [];
  const failures = [];
  for (let rest = text; rest !== "";) {
    const response = parse(rest, methods?.[statuses.length]);
    if (response === undefined) {
      if (!isComplete) break;
      return { fault: `this is no response: ${JSON.stringify(rest.slice(0, 200))}`, statuses, failures };
    }
    rest = rest.slice(response.length);
    if (response.status < 200) continue;
    statuses.push(response.status);
    const fault = findFault(response);
    if (fault !== undefined)
      return { fault: `${fault}: ${JSON.stringify(response.text.slice(0, 400))}`, statuses, failures };
    if (response.status >= 500)
      failures.push({ status: response.status, code: response.error.errorCode, id: response.id });
  }
  if (isComplete && statuses.length !== methods.length) {
    return { fault: `${methods.length} requests have ${statuses.length} responses`, statuses, failures };
  }
  return { statuses, failures };
}

function parse(text, method) {
  const end = text.indexOf("\r\n\r\n");
  const [, digits] = /^HTTP\/1\.1 (\d{3}) /.exec(text) ?? [];
  if (end === -1 || digits === undefined) return undefined;
  const head = text.slice(0, end);
  const status = Number(digits);
  const [, size] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
  const [, id] = /\r\nx-svc-request-id: *([^\r]*)/i.exec(head) ?? [];
  const hasBody = status >= 200 && status !== 204 && status !== 304 && method !== "HEAD";
  const length = end + 4 + (hasBody ? Number(size ?? 0) : 0);
  if (text.length < length) return undefined;
  return { status, id, hasBody, length, text: text.slice(0, length), body: text.slice(end + 4, length) };
}

function findFault(response) {
  const { status, id, hasBody, body } = response;
  if (id === undefined || !ID_REGEXP.test(id)) return `a response with ${status} has no id`;
  if (status < 400 || !hasBody) return undefined;
  try {
    response.error = JSON.parse(body);
  } catch {
    return `the body of a response with ${status} is no JSON`;
  }
  const { errorCode, errorId, errorSummary, errorCauses } = response.error;
  if (!/^E\d{7}$/.test(errorCode) || typeof errorSummary !== "string" || !Array.isArray(errorCauses))
    return "this is no error object";
  return errorId === id ? undefined : "the error object has another id than the header";
}

module.exports = { checkResponses };
