import { findResponseFaults } from "../../lib/faults/index.js";
import { BUILT_IN } from "../../lib/errors/index.js";
import type { Check } from "../check.js";
import type { Probe } from "../probe.js";
import type { Response } from "../response.js";
import { firstOf, NotApplicable, type Verdict } from "../verdict.js";
import { requestIdName, unknownPath } from "./error-object.js";

const FORGED = "etiquette-check-forged";

/** A metric with its time. */
const DURATION_REGEXP = /;\s*dur\s*=/i;

const RATE_FIELDS = ["X-Rate-Limit-Limit", "X-Rate-Limit-Remaining", "X-Rate-Limit-Reset"];

/** Fields of every response, and the values in bodies (rules S4 to S6, S8, D1, D2, V1 and L1 to L3). */
export const HEADER_CHECKS: readonly Check[] = [
  {
    id: "nosniff",
    rule: "S6",
    severity: "security",
    title: "Every response sends X-Content-Type-Options: nosniff",
    why: "JSON may hold what users wrote; a browser that guesses the type runs it.",
    specification: "Fetch, section 3.6",
    mend: "Send the field with each response, failures included.",
    run: (probe) => ofTwoResponses(probe, findSniffing),
  },
  {
    id: "server-timing",
    rule: "O6",
    severity: "security",
    title: "Strangers don't see how long the parts of a request take",
    why: "Times of the database or of a cache tell an attacker which requests are expensive, and what exists.",
    specification: "Server Timing, section 6",
    mend: "Send `Server-Timing` only to clients that you trust: `serverTiming()` of etiquette.",
    async run(probe) {
      const response = await probe.get(probe.path, { Authorization: null });
      const shown = response.lines("Server-Timing").find((line) => DURATION_REGEXP.test(line));
      return shown === undefined ? undefined : `A request without credentials gets Server-Timing: ${shown}`;
    },
  },
  {
    id: "request-id",
    rule: "D1",
    severity: "style",
    title: "Every response has the id of its request",
    why: "Without an id nobody finds in the log what a client saw.",
    mend: "Send a field whose name ends in `Request-Id` with each response: `requestId()` of etiquette, before all else.",
    run: (probe) =>
      ofTwoResponses(probe, (response) =>
        requestIdName(response) === undefined ? "No field has the id of the request." : undefined,
      ),
  },
  {
    id: "request-id-unique",
    rule: "D1",
    severity: "style",
    title: "Each request has another id",
    why: "An id of two requests leads to the wrong one.",
    mend: "Make a random id for each request.",
    async run(probe) {
      const { name, response } = await idOf(probe);
      const other = await probe.get(probe.path);
      return response.field(name) === other.field(name) ? `Two responses have the same ${name}.` : undefined;
    },
  },
  {
    id: "request-id-forged",
    rule: "D2",
    severity: "security",
    title: "An id in the request is not believed",
    why: "A client chooses what stands in the log: the id of somebody else's request, or a line of its own.",
    mend: "Believe the field only from a trusted proxy.",
    async run(probe) {
      const { name } = await idOf(probe);
      const response = await probe.get(probe.path, { [name]: FORGED });
      return response.lines(name).includes(FORGED) ? `${name} of the response is what the request said.` : undefined;
    },
  },
  {
    id: "head",
    rule: "V1",
    severity: "interoperability",
    title: "HEAD is GET without content",
    why: "Monitors and caches use HEAD in place of GET.",
    specification: "RFC 9110 section 9.3.2",
    mend: "Serve HEAD with the handler of GET.",
    needs: ["success"],
    async run(probe) {
      const [get, head] = [await probe.baseline(), await probe.send({ method: "HEAD" })];
      if (head.status !== get.status) return `GET is ${get.status}, HEAD is ${head.status}.`;
      const different = ["Content-Type", "ETag"].find(
        (name) => (head.field(name) === undefined) !== (get.field(name) === undefined),
      );
      return (
        different &&
        `${different} of GET is ${get.field(different) ?? "missing"}, of HEAD ${head.field(different) ?? "missing"}.`
      );
    },
  },
  {
    id: "rate-limit-fields",
    rule: "S8",
    severity: "interoperability",
    title: "What is left of a rate limit comes in one line for each field",
    why: "Clients compute their wait from these fields; two lines become `NaN`.",
    mend: "Let one limiter set the fields, as integers.",
    async run(probe) {
      const response = await probe.baseline();
      if (RATE_FIELDS.every((name) => response.field(name) === undefined)) {
        throw new NotApplicable("The response has no X-Rate-Limit field.");
      }
      const bad = RATE_FIELDS.find((name) => !/^\d+$/.test(response.field(name) ?? ""));
      return bad && `${bad} is ${response.field(bad) ?? "missing"}.`;
    },
  },
  contentCheck("date-form", "S4", "Dates have the form YYYY-MM-DDTHH:mm:ss.SSSZ", {
    severity: "style",
    why: "Clients parse one form; zones that are left out, and half the formats of `Date`, shift the time.",
    specification: "RFC 3339 section 5.6",
    mend: "Use `toISOString()`, or `formatDate()` of etiquette.",
  }),
  contentCheck("text-form", "S5", "Text has no lone surrogate and no byte order mark", {
    severity: "interoperability",
    why: "Such text can't be written as UTF-8: each layer replaces or refuses it in its own way.",
    specification: "RFC 8259 sections 8.1 and 8.2",
    mend: "Check text when it comes in.",
  }),
  contentCheck("links-form", "L", "Links are Link objects under their relations", {
    severity: "style",
    why: "Generic clients read `_links`; a wrong form breaks all of them.",
    specification: "RFC 8288 section 2",
    mend: "Use `withLinks()` and `formatLink()` of etiquette.",
  }),
];

function contentCheck(
  id: string,
  rule: string,
  title: string,
  texts: Pick<Check, "severity" | "why" | "specification" | "mend">,
): Check {
  return {
    id,
    rule: rule === "L" ? "L2" : rule,
    title,
    ...texts,
    needs: ["success"],
    async run(probe) {
      const { resource, list } = probe.plan;
      const targets = new Set([probe.path, ...(resource ? [resource] : []), ...(list ? [list] : [])]);
      return firstOf(targets, async (target) => findContentFault(await probe.getOnce(target), rule));
    },
  };
}

/** What etiquette's responseCheck says of a response. */
function findContentFault(response: Response, rule: string): Verdict {
  response.json(); // only a whole body tells
  const faults = findResponseFaults({
    status: 200,
    links: [],
    requestId: undefined,
    contentType: response.field("Content-Type"),
    body: response.text,
    maxBytesPerCharacter: 4,
    catalogue: BUILT_IN,
  });
  const fault = faults.find((candidate) => candidate.rule.startsWith(rule));
  return fault && `${fault.place}: ${fault.message}`;
}

async function ofTwoResponses(probe: Probe, find: (response: Response) => Verdict): Promise<Verdict> {
  const success = find(await probe.get(probe.path));
  return success ?? find(await probe.get(unknownPath(probe)));
}

function findSniffing(response: Response): Verdict {
  const value = response.field("X-Content-Type-Options");
  return value?.toLowerCase() === "nosniff" ? undefined : `The ${response.status} has ${value ?? "no such field"}.`;
}

async function idOf(probe: Probe): Promise<{ name: string; response: Response }> {
  const response = await probe.baseline();
  const name = requestIdName(response);
  if (name === undefined) throw new NotApplicable("The response has no id of the request.");
  return { name, response };
}
