import type { LogSearch } from "./search.js";
import { COMPARISON_REGEXP, equals, joinTerms, readEquals, splitTerms, unwrap } from "./terms.js";

/** Which events a view has, as a filter, and the name of its text. */
export const VIEWS = [
  { value: 'severity ne "DEBUG"', name: "usual" },
  { value: "target pr and not (debugContext.debugData.policyId pr)", name: "changes" },
  { value: 'outcome.result eq "FAILURE"', name: "failures" },
  { value: "", name: "everything" },
] as const;

/** What a bare address shows. */
export const USUAL: LogSearch = { filter: 'severity ne "DEBUG"', since: "24h" };

/** What an address with a filter and without `since` shows, as in the API. */
const DEFAULT_SINCE = "7d";

/** Attributes of events by whose values one finds others. */
const ATTRIBUTES = ["actor.id", "target.id", "client.ipAddress", "debugContext.debugData.requestId"] as const;

export type Attribute = (typeof ATTRIBUTES)[number];

/** What the page asks the log. */
export interface Question {
  /** One of {@link VIEWS}. */
  readonly view: string;
  /** Any of them; all if there are none. */
  readonly types: readonly string[];
  readonly values: Readonly<Partial<Record<Attribute, string>>>;
  /** The terms of the filter that the others don't say. */
  readonly expression: string;
  readonly words: string;
  /** A date-time, or a period such as `24h`. */
  readonly since: string;
  readonly until: string | undefined;
}

export function readQuestion({ filter = "", q = "", since = DEFAULT_SINCE, until }: LogSearch): Question {
  const found: Omit<Question, "expression"> = { view: "", types: [], values: {}, words: q, since, until };
  const others: string[] = [];
  const question = splitTerms(filter.trim()).reduce((before, term) => {
    const changes = term === "" ? {} : readTerm(unwrap(term), before);
    if (!changes) others.push(term);
    return { ...before, ...changes };
  }, found);
  return { ...question, expression: others.length === 1 ? unwrap(others[0] ?? "") : others.join(" and ") };
}

/** @returns `undefined` when only an expression can say it, besides what is known */
function readTerm(term: string, { view, types, values }: Omit<Question, "expression">): Partial<Question> | undefined {
  if (view === "" && VIEWS.some(({ value }) => value === term)) return { view: term };
  const named = term.split(" or ").map((part) => readEquals(part));
  if (types.length === 0 && named.every((each) => each?.[0] === "eventType")) {
    return { types: named.flatMap((each) => each?.[1] ?? []) };
  }
  const [attribute, value] = readEquals(term) ?? [];
  const known = ATTRIBUTES.find((name) => name === attribute);
  return known && values[known] === undefined ? { values: { ...values, [known]: value } } : undefined;
}

/** The address of a question. */
export function toSearch(question: Question): LogSearch {
  const { words, since, until } = question;
  const filter = joinTerms(termsOf(question));
  return {
    ...(filter !== "" && { filter }),
    ...(words !== "" && { q: words }),
    since,
    ...(until !== undefined && { until }),
  };
}

/** Where in the filter the expression begins: it comes first, so that the place of a mistake is known. */
export function startOfExpression(question: Question): number {
  return termsOf(question).length > 1 && !COMPARISON_REGEXP.test(question.expression) ? 1 : 0;
}

function termsOf({ expression, view, types, values }: Question): string[] {
  const terms = [
    expression,
    types.map((type) => equals("eventType", type)).join(" or "),
    ...ATTRIBUTES.flatMap((name) => (values[name] === undefined ? [] : equals(name, values[name]))),
    view,
  ];
  return terms.filter((term) => term !== "");
}

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 };

/** The beginning of a list: a period is one before `now`. */
export function startOf(since: string, now: number): string {
  const [, count, unit = ""] = /^(\d{1,4})([hd])$/.exec(since) ?? [];
  return count === undefined ? since : new Date(now - Number(count) * (UNITS[unit] ?? 0)).toISOString();
}
