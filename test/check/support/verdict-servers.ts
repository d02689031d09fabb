import type { Script, ScriptedRequest, ScriptedResponse } from "./scripted-server.js";

const NOT_FOUND: ScriptedResponse = { status: 404 };
const REFUSED: ScriptedResponse = { status: 400 };

/** Ids with letters that are compared as they are, under words that are not. */
export const WITHOUT_CASE: Script = ({ target }) => {
  const [, version = "", word = "", id] = target.split("/");
  const isKnown = version.toLowerCase() === "v1" && word.toLowerCase() === "items" && (id ?? "abc") === "abc";
  return isKnown ? {} : NOT_FOUND;
};

/** Nothing but the id of a tenant and a name in it, which are compared without case. */
export const ALL_VARIABLE: Script = ({ target }) => (/^\/(?:acme|ACME)\/(?:joe|JOE)$/.test(target) ? {} : NOT_FOUND);

/** All of a list at once, whatever the query says. */
export const WITHOUT_PAGES: Script = () => ({ body: '[{"id":"1"},{"id":"2"}]' });

/** Pages, with a cursor in the parameter `page_token` that the server checks. */
export const OTHER_CURSOR: Script = ({ target }) => {
  const token = new URL(target, "http://localhost").searchParams.get("page_token");
  if (token !== null && token !== "second") return REFUSED;
  const link =
    token === null
      ? { Link: '</v1/items?limit=1&page_token=second>; rel="next"' }
      : { Link: '</v1/items>; rel="first"' };
  return { headers: link, body: token === null ? '[{"id":"1"}]' : '[{"id":"2"}]' };
};

/** It patches with one type, which it names in the responses to `naming`. */
export function patchable(type: string, naming: "GET" | "OPTIONS" | "PATCH"): Script {
  return ({ method, headers, body }: ScriptedRequest) => {
    const named = method === naming ? { "Accept-Patch": `${type};charset=utf-8, application/x-other` } : {};
    if (method !== "PATCH") return { headers: named, body: '{"id":"1","name":"before"}' };
    if (headers["content-type"] !== type) return { status: 415, headers: named };
    return { status: isJson(body) ? 200 : 400 };
  };
}

/** No write is allowed. */
export const READ_ONLY: Script = ({ method }) => ({ status: method === "PUT" ? 403 : 200 });

/** A write needs a precondition. */
export const CAREFUL: Script = ({ method, headers, body }) => {
  if (method !== "PUT") return {};
  if (!("if-match" in headers)) return { status: 428 };
  return { status: isJson(body) ? 200 : 400 };
};

/** It compares `Accept` with all types of `produces`, and sends JSON whatever was selected. */
export function negotiating(produces: readonly string[], sent: (selected: string) => string): Script {
  return ({ headers: { accept = "*/*" } }) => {
    const ranges = accept.split(",").map((range) => range.trim());
    const refused = ranges.filter((range) => range.endsWith(";q=0")).map((range) => range.split(";")[0]);
    const selected = produces.find(
      (type) => !refused.includes(type) && ranges.some((range) => range === "*/*" || range.split(";")[0] === type),
    );
    return selected === undefined ? { status: 406 } : { headers: { "Content-Type": sent(selected) } };
  };
}

/** It leaves out `q`. */
export const WITHOUT_WEIGHTS: Script = ({ headers: { accept = "*/*" } }) =>
  accept.includes("application/json") || accept.includes("*/*") ? {} : { status: 406 };

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
