import type { Filter, FilterTerm, RequestFilter } from "etiquette/filter";

/** A term of an expression. */
export interface ListedTerm {
  readonly term: FilterTerm;
  /** `pr` on a complex attribute is a term for each of its attributes. */
  readonly count: number;
  readonly isNegated: boolean;
}

/** All terms of an expression, in the order of its text. */
export function listTerms({ filter, schema }: Readonly<Pick<RequestFilter, "filter" | "schema">>): ListedTerm[] {
  return collect(filter, false);

  function collect(part: Filter, isNegated: boolean): ListedTerm[] {
    switch (part.kind) {
      case "and":
      case "or":
        return part.operands.flatMap((operand) => collect(operand, isNegated));
      case "not":
        return collect(part.operand, true);
      case "presence":
        return [{ term: part, count: schema.attributes.get(part.attribute)?.members?.length ?? 1, isNegated }];
      case "comparison":
        return [{ term: part, count: 1, isNegated }];
    }
  }
}

/** How many terms a row is tested with. */
export function countTerms(expression: Readonly<Pick<RequestFilter, "filter" | "schema">>): number {
  return listTerms(expression).reduce((sum, { count }) => sum + count, 0);
}

/** The parts of an expression that must all hold. */
export function findConjuncts(filter: Filter): readonly Filter[] {
  return filter.kind === "and" ? filter.operands.flatMap(findConjuncts) : [filter];
}
