import { isJsonType, parseMediaType } from "../../lib/http/index.js";
import type { Check } from "../check.js";
import type { Probe } from "../probe.js";
import { statusFault } from "../response.js";
import { firstOf, type Verdict } from "../verdict.js";

/** What APIs produce besides JSON, should no description tell. */
const COMMON_TYPES = ["text/csv", "text/html", "application/xml", "application/problem+json", "application/hal+json"];

/** The types and charsets of requests and responses (rule S3). */
export const CONTENT_TYPE_CHECKS: readonly Check[] = [
  {
    id: "json-type",
    rule: "S3",
    severity: "interoperability",
    title: "A response with content is JSON",
    why: "A client that reads JSON fails on anything else, and a browser may show a wrongly typed response as a page.",
    specification: "RFC 8259 section 11; RFC 9110 section 8.3",
    mend: "Send `Content-Type: application/json` with each body.",
    needs: ["success"],
    async run(probe) {
      const response = await probe.baseline();
      if (response.isEmpty) return undefined;
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
    severity: "style",
    title: "A request that accepts no JSON is refused",
    why: "A client that can't read the response learns it from the status, not from a parser that fails.",
    sent: ["text/html", "application/hal+json"],
    expected: 406,
  }),
  {
    id: "accept-zero",
    rule: "S3",
    severity: "interoperability",
    title: "A type with q=0 is not acceptable, whatever else the field has",
    why: "With `q=0` the client says that it can't read the type.",
    specification: "RFC 9110 sections 12.4.2 and 12.5.1",
    mend: "Send 406 when the range that fits JSON best has `q=0`. If `produces` has several types, send the one that was selected.",
    needs: ["success", "api"],
    run: (probe) => firstOf(["application/json;q=0, */*", "application/json;q=0"], (value) => tryZero(probe, value)),
  },
  acceptCheck({
    id: "accept-ranges",
    severity: "interoperability",
    title: "Parameters, wildcards and weights in Accept are understood",
    why: "Widely used clients send `application/json;charset=utf-8`, `application/*` or `text/html, */*;q=0.8`.",
    sent: ["application/json;charset=utf-8", "application/*;q=0.5, text/html", "text/html, */*;q=0.8", null],
  }),
  {
    id: "content-type-twice",
    rule: "S3",
    severity: "security",
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
  bodyTypeCheck({
    id: "body-type",
    severity: "security",
    title: "A body of another type is refused",
    types: () => ["text/plain", "application/x-www-form-urlencoded"],
    expected: [415],
  }),
  bodyTypeCheck({
    id: "body-type-missing",
    severity: "security",
    title: "A body without a type is refused",
    types: () => [null],
    expected: [400, 415],
  }),
  bodyTypeCheck({
    id: "body-type-list",
    severity: "interoperability",
    title: "Two types in one Content-Type are refused",
    types: (type) => [`${type}, text/plain`],
    expected: [400, 415],
  }),
  bodyTypeCheck({
    id: "body-charset",
    severity: "interoperability",
    title: "A body in another charset than UTF-8 is refused",
    types: (type) => [`${type}; charset=utf-7`, `${type}; charset=utf-16le`],
    expected: [415],
  }),
];

interface AcceptCheck extends Pick<Check, "id" | "severity" | "title" | "why"> {
  /** `null` for no `Accept`. */
  sent: readonly (string | null)[];
  /** The status, or `undefined` for that of a plain request. */
  expected?: number;
}

function acceptCheck({ sent, expected, ...texts }: AcceptCheck): Check {
  return {
    ...texts,
    rule: "S3",
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

/** A response in another type is right; one in JSON is wrong, also when the API could have sent another type. */
async function tryZero(probe: Probe, value: string): Promise<Verdict> {
  const response = await probe.get(probe.path, { Accept: value });
  const fault = statusFault(response, [406], `Accept: ${value}`);
  if (!response.ok || fault === undefined) return fault;
  const type = parseMediaType(response.field("Content-Type") ?? "")?.type ?? "";
  if (!isJsonType(type)) return undefined;
  const other = await findProduced(probe, type);
  if (other === undefined) return fault;
  return `${fault} The response is ${type} although \`produces\` has ${other}, which the field accepts.`;
}

/** Another type than `type` that the API accepts in `Accept`; none if it accepts any, and so doesn't read the field. */
async function findProduced(probe: Probe, type: string): Promise<string | undefined> {
  if ((await probe.get(probe.path, { Accept: "application/x-etiquette-check" })).ok) return undefined;
  for (const candidate of new Set([...(probe.plan.description?.produces ?? []), ...COMMON_TYPES])) {
    if (candidate === type) continue;
    if ((await probe.get(probe.path, { Accept: candidate })).ok) return candidate;
  }
  return undefined;
}

interface BodyTypeCheck extends Pick<Check, "id" | "severity" | "title"> {
  /** Values of `Content-Type`, made from the type that the API takes; `null` for none. */
  readonly types: (type: string) => readonly (string | null)[];
  readonly expected: readonly number[];
}

function bodyTypeCheck({ types, expected, ...texts }: BodyTypeCheck): Check {
  return {
    ...texts,
    rule: "S3",
    why: "A server that guesses reads what the client didn't mean, and pages of other origins can send `text/plain` and forms without a preflight.",
    specification: "RFC 9110 sections 8.3 and 15.5.16",
    mend: "Send 415 unless `Content-Type` is one media type that the operation takes, in UTF-8.",
    needs: ["writable"],
    run: async (probe) =>
      firstOf(types(await probe.writable.type()), async (type) => {
        const response = await probe.writable.write({ headers: { "Content-Type": type } });
        return statusFault(response, expected, type === null ? "No Content-Type" : `Content-Type: ${type}`);
      }),
  };
}
