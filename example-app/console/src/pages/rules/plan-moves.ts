import type { Rule } from "../../api/types.js";

/** The chosen rules together at a place, in their order. The default rule stays the last. */
export function moveTogether<T>(rules: readonly T[], isChosen: (rule: T) => boolean, place: number): T[] {
  const others = rules.filter((rule) => !isChosen(rule));
  return [...others.slice(0, place - 1), ...rules.filter(isChosen), ...others.slice(place - 1)];
}

export interface Move {
  readonly rule: Rule;
  /** The place where it goes. */
  readonly to: number;
}

/**
 * The moves that bring the chosen rules to a place, one after the other. Those above it go down, the last first; those below
 * go up, the first first: so no chosen rule overtakes another.
 */
export function planMoves(rules: readonly Rule[], chosen: ReadonlySet<string>, place: number): Move[] {
  const isChosen = ({ id }: Rule) => chosen.has(id);
  const order = rules.filter(({ system }) => !system);
  const wanted = moveTogether(order, isChosen, place);
  const before = wanted.slice(0, wanted.findIndex(isChosen)).at(-1);
  const border = before ? order.indexOf(before) : -1;
  const above = order.filter((rule, index) => isChosen(rule) && index < border);
  const below = order.filter((rule, index) => isChosen(rule) && index > border);
  const moves: Move[] = [];
  const put = (rule: Rule, after: Rule | undefined) => {
    const from = order.indexOf(rule);
    order.splice(from, 1);
    const to = after ? order.indexOf(after) + 1 : 0;
    order.splice(to, 0, rule);
    if (to !== from) moves.push({ rule, to: to + 1 });
  };
  for (const rule of above.toReversed()) put(rule, before);
  let last = above.at(-1) ?? before;
  for (const rule of below) {
    put(rule, last);
    last = rule;
  }
  return moves;
}
