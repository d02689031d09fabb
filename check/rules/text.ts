import type { Check } from "../check.js";
import type { Probe } from "../probe.js";
import { statusFault } from "../response.js";
import { firstOf, type Verdict } from "../verdict.js";
import { unknownPath } from "./error-object.js";

const DECODER =
  "Lenient decoders replace what they can't read with U+FFFD: two different inputs become the same text, and filters are passed by.";

/** 40,000 levels; a parser or a serialiser that recurses ends with a 500. */
const NESTED = "[".repeat(40_000) + "]".repeat(40_000);

/** UTF-8 and the encoding of URLs (rules S5 and Q1 to Q4). */
export const TEXT_CHECKS: readonly Check[] = [
  {
    id: "query-escape",
    rule: "Q1",
    title: "A malformed escape in the query is refused",
    why: "The client meant another text than the server reads, and nobody tells it.",
    specification: "RFC 3986 section 2.1",
    mend: "Decode the query strictly and send 400.",
    needs: ["success"],
    run: (probe) => firstOf(["%zz", "%F"], (text) => expectQueryRefused(probe, text)),
  },
  {
    id: "query-utf8",
    rule: "S5",
    title: "Malformed UTF-8 in the query is refused",
    why: DECODER,
    specification: "RFC 3629 sections 3 and 10",
    mend: "Decode as UTF-8 with `fatal: true` and send 400.",
    needs: ["success"],
    run: (probe) => firstOf(["%ff", "%c0%af", "%ed%a0%80"], (text) => expectQueryRefused(probe, text)),
  },
  {
    id: "path-utf8",
    rule: "S5",
    title: "Malformed UTF-8 in the path is refused",
    why: DECODER,
    specification: "RFC 3629 sections 3 and 10",
    mend: "Decode as UTF-8 with `fatal: true` and send 400.",
    async run(probe) {
      const target = unknownPath(probe).replace(/[^/]+$/, "%ff");
      return statusFault(await probe.get(target), [400], `GET ${target}`);
    },
  },
  {
    id: "header-utf8",
    rule: "S5",
    title: "Malformed UTF-8 in User-Agent is refused",
    why: "Logs and pages that show the field decode it differently, or not at all.",
    specification: "RFC 9110 section 5.5",
    mend: "Check the fields that the API reads as text, and send 400.",
    needs: ["success"],
    async run(probe) {
      return statusFault(
        await probe.get(probe.path, { "User-Agent": "check \xff" }),
        [400],
        "The byte FF in User-Agent",
      );
    },
  },
  {
    id: "delimiter-encoded",
    rule: "Q2",
    title: "An encoded ? is part of the path, so the path is not found",
    why: "A server that decodes before it splits reads another request than a proxy or a cache before it.",
    specification: "RFC 3986 sections 2.2 and 7.3",
    mend: "Split the target first and decode its parts afterwards; send 404.",
    needs: ["success"],
    async run(probe) {
      const [path = ""] = probe.path.split("?");
      return statusFault(await probe.get(`${path}%3Fetiquette=1`), [400, 404], "A path with %3F");
    },
  },
  {
    id: "parameter-twice",
    rule: "Q4",
    title: "A parameter that takes one value and comes twice is refused",
    why: "One layer takes the first value and another the last; a check of the one lets the other pass.",
    mend: "Send 400 when `limit` and its like come twice.",
    needs: ["list"],
    async run(probe) {
      const target = withQuery(probe.settings.list ?? "", "limit=1&limit=2");
      return statusFault(await probe.get(target), [400], "limit=1&limit=2");
    },
  },
  {
    id: "parameter-unknown",
    rule: "N3",
    title: "An unknown parameter is ignored",
    why: "Clients of the next version send parameters that this version doesn't know.",
    mend: "Ignore what you don't know.",
    needs: ["success"],
    async run(probe) {
      const { status } = await probe.baseline();
      return statusFault(await probe.get(withQuery(probe.path, "etiquetteCheck=1")), [status], "An unknown parameter");
    },
  },
  bodyCheck("body-malformed", "E1", "A body that is no JSON is refused", [["Malformed JSON", '{"a":']], [400]),
  bodyCheck(
    "body-utf8",
    "S5",
    "Malformed UTF-8 in a body is refused",
    [["The byte FF in a text", Buffer.from('{"etiquetteCheck":"\xff"}', "latin1")]],
    [400],
  ),
  bodyCheck(
    "body-surrogate",
    "S5",
    "A lone surrogate in a body is refused",
    [["\\ud800 in a text", '{"etiquetteCheck":"\\ud800"}']],
    [400],
  ),
  bodyCheck("body-bom", "S5", "A byte order mark in a body is refused", [["A byte order mark", "\ufeff{}"]], [400]),
  bodyCheck(
    "body-nested",
    "E1",
    "A body of 40,000 levels is refused",
    [["40,000 levels", `{"etiquetteCheck":${NESTED}}`]],
    [400, 413],
  ),
];

/** `target` with more parameters. */
export function withQuery(target: string, query: string): string {
  return `${target}${target.includes("?") ? "&" : "?"}${query}`;
}

async function expectQueryRefused(probe: Probe, text: string): Promise<Verdict> {
  const response = await probe.get(withQuery(probe.path, `etiquetteCheck=${text}`));
  return statusFault(response, [400], `?etiquetteCheck=${text}`);
}

function bodyCheck(
  id: string,
  rule: string,
  title: string,
  bodies: readonly (readonly [sent: string, body: string | Buffer])[],
  expected: readonly number[],
): Check {
  return {
    id,
    rule,
    title,
    why: "What one parser accepts, changes or gives up on, another one reads differently; and a 500 blames the wrong side.",
    specification: "RFC 8259 sections 2, 8.1, 8.2 and 9",
    mend: "Check the bytes before you parse them, limit the depth, and send 400 with the place.",
    needs: ["writable"],
    run: (probe) => firstOf(bodies, async ([sent, body]) => statusFault(await probe.write({ body }), expected, sent)),
  };
}
