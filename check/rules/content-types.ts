import { isJsonType, parseMediaType } from "../../lib/http/index.js";
import type { Check } from "../check.js";
import type { Probe } from "../probe.js";
import { statusFault } from "../response.js";
import { firstOf, type Verdict } from "../verdict.js";

/** The types and charsets of requests and responses (rule S3). */
export const CONTENT_TYPE_CHECKS: readonly Check[] = [
  {
    id: "json-type",
    rule: "S3",
    title: "A response with content is JSON",
    why: "A client that reads JSON fails on anything else, and a browser may show a wrongly typed response as a page.",
    specification: "RFC 8259 section 11; RFC 9110 section 8.3",
    mend: "Send `Content-Type: application/json` with each body.",
    needs: ["success"],
    async run(probe) {
      const response = await probe.baseline();
      if (response.body.length === 0) return undefined;
      const type = parseMediaType(response.field("Content-Type") ?? "");
      if (!type || !isJsonType(type.type)) {
        return `Content-Type is ${response.field("Content-Type") ?? "missing"}; expected application/json.`;
      }
      const charset = type.parameters.get("charset");
      if (charset !== undefined && charset.toLowerCase() !== "utf-8")
        return `The charset is ${charset}, expected utf-8.`;
      return undefined;
    },
  },
  acceptCheck({
    id: "accept-refused",
    title: "A request that accepts no JSON is refused",
    why: "A client that can't read the response learns it from the status, not from a parser that fails.",
    sent: ["text/html", "application/hal+json"],
    expected: 406,
  }),
  acceptCheck({
    id: "accept-zero",
    title: "A type with q=0 is not acceptable, whatever else the field has",
    why: "With `q=0` the client says that it can't read the type.",
    sent: ["application/json;q=0, */*", "application/json;q=0"],
    expected: 406,
  }),
  acceptCheck({
    id: "accept-ranges",
    title: "Parameters, wildcards and weights in Accept are understood",
    why: "Widely used clients send `application/json;charset=utf-8`, `application/*` or `text/html, */*;q=0.8`.",
    sent: ["application/json;charset=utf-8", "application/*;q=0.5, text/html", "text/html, */*;q=0.8", null],
  }),
  {
    id: "content-type-twice",
    rule: "S3",
    title: "Two Content-Type lines that differ are refused",
    why: "A proxy that believes one line and a server that believes the other see different requests.",
    specification: "RFC 9110 section 5.3",
    mend: "Compare all lines of the field (Node's `headers` keeps the first only) and send 400.",
    needs: ["success"],
    async run(probe) {
      const headers = { "Content-Type": ["application/json", "text/plain"] };
      const response = await probe.get(probe.path, headers);
      return statusFault(response, [400, 415], "Two Content-Type lines");
    },
  },
  bodyTypeCheck(
    "body-type",
    "A body of another type is refused",
    ["text/plain", "application/x-www-form-urlencoded"],
    [415],
  ),
  bodyTypeCheck("body-type-missing", "A body without a type is refused", [null], [400, 415]),
  bodyTypeCheck(
    "body-type-list",
    "Two types in one Content-Type are refused",
    ["application/json, text/plain"],
    [400, 415],
  ),
  bodyTypeCheck(
    "body-charset",
    "A body in another charset than UTF-8 is refused",
    ["application/json; charset=utf-7", "application/json; charset=utf-16le"],
    [415],
  ),
];

interface AcceptCheck {
  id: string;
  title: string;
  why: string;
  /** `null` for no `Accept`. */
  sent: readonly (string | null)[];
  /** The status, or `undefined` for that of a plain request. */
  expected?: number;
}

function acceptCheck({ id, title, why, sent, expected }: AcceptCheck): Check {
  return {
    id,
    rule: "S3",
    title,
    why,
    specification: "RFC 9110 sections 12.4.2 and 12.5.1",
    mend:
      expected === undefined
        ? "Compare media ranges as RFC 9110 defines them: type, subtype, parameters, weight."
        : "Send 406 when the most specific range that fits JSON has `q=0`, or when no range fits.",
    needs: expected === undefined ? ["success"] : ["success", "api"],
    run: (probe) => firstOf(sent, (value) => tryAccept(probe, value, expected)),
  };
}

async function tryAccept(probe: Probe, value: string | null, expected?: number): Promise<Verdict> {
  const response = await probe.get(probe.path, { Accept: value });
  const status = expected ?? (await probe.baseline()).status;
  return statusFault(response, [status], value === null ? "No Accept" : `Accept: ${value}`);
}

function bodyTypeCheck(id: string, title: string, types: readonly (string | null)[], expected: number[]): Check {
  return {
    id,
    rule: "S3",
    title,
    why: "A server that guesses reads what the client didn't mean, and pages of other origins can send `text/plain` and forms without a preflight.",
    specification: "RFC 9110 sections 8.3 and 15.5.16",
    mend: "Send 415 unless `Content-Type` is one media type that the operation takes, in UTF-8.",
    needs: ["writable"],
    run: (probe) =>
      firstOf(types, async (type) => {
        const response = await probe.write({ headers: { "Content-Type": type } });
        return statusFault(response, expected, type === null ? "No Content-Type" : `Content-Type: ${type}`);
      }),
  };
}
