import type { Rule } from "../model/records.js";
import type { Answer, Routing } from "./compile-routing.js";
import type { Question } from "./conditions.js";

/** A change to one rule. */
export interface RuleChange {
  /** `undefined` for a new rule. */
  readonly before: Rule | undefined;
  /** With the priority that it asks for; `undefined` for a rule that is removed. */
  readonly after: Rule | undefined;
}

export interface ChangedRoutingOptions {
  change: RuleChange;
  /** The rules as they are. */
  current: Routing;
  /** Only the changed rule. */
  own: Routing;
  /** All rules but the changed one. Called at most once, and only if some login meets that rule now. */
  compileOthers: () => Promise<Routing>;
  /** `Infinity` for the default rule. */
  findPriority: (id: string) => Promise<number>;
}

/**
 * The answers after a change, without compiling the changed rules: the first rule that matches is either the changed one
 * or the first one of all others.
 */
export function createChangedRouting(
  options: Readonly<ChangedRoutingOptions>,
): (question: Question) => Promise<Answer> {
  const { change, current, own, compileOthers, findPriority } = options;
  const { before, after } = change;
  let others: Promise<Routing> | undefined;

  return async function route(question) {
    const answer = await current(question);
    const isOwn = answer.rule.id === before?.id;
    if (before?.system === true) return isOwn ? own(question) : answer;
    const other = isOwn ? await (await (others ??= compileOthers()))(question) : answer;
    if (!after) return other;
    const changed = await own(question);
    return changed.rule.id === after.id && after.priority <= (await placeOf(other)) ? changed : other;
  };

  /** The priority of a rule among all but the changed one. */
  async function placeOf({ rule }: Answer): Promise<number> {
    const priority = await findPriority(rule.id);
    return before !== undefined && priority > before.priority ? priority - 1 : priority;
  }
}

/** The rules after a change, in their order. */
export function* applyToRules(rules: Iterable<Rule>, { before, after }: RuleChange): Iterable<Rule> {
  let isLeft = after !== undefined;
  for (const rule of rules) {
    if (rule.id === before?.id) continue;
    const place = before && rule.priority > before.priority ? rule.priority - 1 : rule.priority;
    if (after && isLeft && !rule.system && after.priority <= place) {
      yield after;
      isLeft = false;
    }
    yield rule;
  }
  if (after && isLeft) yield after;
}
