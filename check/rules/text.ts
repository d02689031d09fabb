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
    severity: "interoperability",
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
    severity: "security",
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
    severity: "security",
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
    severity: "style",
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
    severity: "security",
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
    severity: "security",
    title: "A parameter that takes one value and comes twice is refused",
    why: "One layer takes the first value and another the last; a check of the one lets the other pass.",
    mend: "Send 400 when `limit` and its like come twice.",
    needs: ["list"],
    async run(probe) {
      const target = withQuery(probe.plan.list ?? "", "limit=1&limit=2");
      return statusFault(await probe.get(target), [400], "limit=1&limit=2");
    },
  },
  {
    id: "parameter-unknown",
    rule: "N3",
    severity: "interoperability",
    title: "An unknown parameter is ignored",
    why: "Clients of the next version send parameters that this version doesn't know.",
    mend: "Ignore what you don't know.",
    needs: ["success"],
    async run(probe) {
      const { status } = await probe.baseline();
      return statusFault(await probe.get(withQuery(probe.path, "etiquetteCheck=1")), [status], "An unknown parameter");
    },
  },
  bodyCheck({
    id: "body-malformed",
    rule: "E1",
    title: "A body that is no JSON is refused",
    sent: "Malformed JSON",
    body: '{"a":',
  }),
  bodyCheck({
    id: "body-utf8",
    title: "Malformed UTF-8 in a body is refused",
    sent: "The byte FF in a text",
    body: Buffer.from('{"etiquetteCheck":"\xff"}', "latin1"),
  }),
  bodyCheck({
    id: "body-surrogate",
    title: "A lone surrogate in a body is refused",
    sent: "\\ud800 in a text",
    body: '{"etiquetteCheck":"\\ud800"}',
  }),
  bodyCheck({
    id: "body-bom",
    title: "A byte order mark in a body is refused",
    sent: "A byte order mark",
    body: "\ufeff{}",
  }),
  bodyCheck({
    id: "body-nested",
    rule: "E1",
    severity: "security",
    title: "A body of 40,000 levels is refused",
    sent: "40,000 levels",
    body: `{"etiquetteCheck":${NESTED}}`,
    expected: [400, 413],
  }),
];

/** `target` with more parameters. */
export function withQuery(target: string, query: string): string {
  return `${target}${target.includes("?") ? "&" : "?"}${query}`;
}

async function expectQueryRefused(probe: Probe, text: string): Promise<Verdict> {
  const response = await probe.get(withQuery(probe.path, `etiquetteCheck=${text}`));
  return statusFault(response, [400], `?etiquetteCheck=${text}`);
}

interface BodyCheck extends Pick<Check, "id" | "title">, Partial<Pick<Check, "rule" | "severity">> {
  /** What the body is, in words. */
  readonly sent: string;
  readonly body: string | Buffer;
  readonly expected?: readonly number[];
}

function bodyCheck({ sent, body, expected = [400], ...texts }: BodyCheck): Check {
  return {
    rule: "S5",
    severity: "interoperability",
    ...texts,
    why: "What one parser accepts, changes or gives up on, another one reads differently; and a 500 blames the wrong side.",
    specification: "RFC 8259 sections 2, 8.1, 8.2 and 9",
    mend: "Check the bytes before you parse them, limit the depth, and send 400 with the place.",
    needs: ["writable"],
    run: async (probe) => statusFault(await probe.writable.write({ body }), expected, sent),
  };
}
