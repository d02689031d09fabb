import type { Check } from "../check.js";
import type { Probe } from "../probe.js";
import { type Response, statusFault } from "../response.js";
import { firstOf, NotApplicable } from "../verdict.js";
import { withQuery } from "./text.js";

/** `filter` expressions (rules F2, F4 and F9). */
export const FILTER_CHECKS: readonly Check[] = [
  filterCheck({
    id: "filter-malformed",
    rule: "F9",
    severity: "interoperability",
    title: "A malformed filter is refused",
    why: "A clause that is dropped silently returns every object.",
    filters: () => [
      "",
      "(",
      "etiquetteCheck",
      "etiquetteCheck eq",
      'etiquetteCheck eq "a" and',
      'etiquetteCheck zz "a"',
    ],
    mend: "Parse the whole text, and send 400 with the place where it goes wrong.",
  }),
  filterCheck({
    id: "filter-attribute",
    rule: "F4",
    severity: "security",
    title: "An attribute that the list doesn't declare is refused",
    why: "Names such as `__proto__` and `toString` reach the objects of the language, and others columns that nobody meant to show.",
    filters: () => ['etiquetteCheck eq "a"', "__proto__ eq 1", "toString pr", "constructor pr"],
    mend: "Declare the attributes and their types, and send 400 for others.",
  }),
  filterCheck({
    id: "filter-literal",
    rule: "F2",
    severity: "interoperability",
    title: "An operand that is no literal of JSON is refused",
    why: "If a bare word counts as a text, the filter selects what the client didn't mean.",
    filters: (given) => ["x", "'a'", "null", '"a\\x"'].map((operand) => given.replace(/ eq .*/i, ` eq ${operand}`)),
    mend: "Take JSON strings, numbers, `true` and `false` only.",
  }),
  filterCheck({
    id: "filter-nested",
    rule: "F9",
    severity: "security",
    title: "A filter of thousands of levels is refused, not fatal",
    why: "A parser that recurses overflows the stack: a 500, or the end of the process.",
    filters: (given) => [`${"(".repeat(5000)}${given}`, "not(".repeat(2500)],
    mend: "Limit the length and the depth, and send 400.",
    expected: [400, 414, 431],
  }),
  {
    id: "filter-parentheses",
    rule: "F7",
    severity: "interoperability",
    title: "Outer white space and double parentheses change nothing",
    why: "Clients that build expressions add both.",
    mend: "Read a group as one expression, also when it has one group in it.",
    needs: ["list", "filter"],
    async run(probe) {
      const { filter = "" } = probe.plan;
      await assertWorks(probe);
      return firstOf([` ${filter} `, `((${filter}))`], async (text) =>
        statusFault(await list(probe, text), [200], text),
      );
    },
  },
];

interface FilterCheck extends Pick<Check, "id" | "rule" | "severity" | "title" | "why" | "mend"> {
  /** Made from an expression that the list takes. */
  readonly filters: (given: string) => readonly string[];
  readonly expected?: readonly number[];
}

function filterCheck({ filters, expected = [400], ...texts }: FilterCheck): Check {
  return {
    ...texts,
    specification: "RFC 7644 section 3.4.2.2",
    needs: ["list", "filter"],
    async run(probe) {
      await assertWorks(probe);
      return firstOf(filters(probe.plan.filter ?? ""), async (text) =>
        statusFault(await list(probe, text), expected, `filter=${text.length > 60 ? `${text.slice(0, 60)}…` : text}`),
      );
    },
  };
}

async function list(probe: Probe, filter: string): Promise<Response> {
  return probe.get(withQuery(probe.plan.list ?? "", `filter=${encodeURIComponent(filter).replaceAll("%28", "(")}`));
}

async function assertWorks(probe: Probe): Promise<void> {
  const { filter = "" } = probe.plan;
  const { ok, status } = await list(probe, filter);
  if (!ok) throw new NotApplicable(`The filter of --filter is ${status}.`);
}
