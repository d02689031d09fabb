import type { DynamicProvider, Idp } from "../model/records.js";
import { parseProviderExpression, type ProviderCall } from "../model/provider-expression.js";

/** A configured IdP. */
export type NamedProvider = Pick<Idp, "id" | "type" | "name">;

/** What routing needs of an IdP. */
export type RoutedIdp = Pick<Idp, "id" | "type" | "name" | "status">;

/** The active IdPs by id. */
export type ActiveProviders = ReadonlyMap<string, NamedProvider>;

export function findActiveProviders(idps: readonly RoutedIdp[]): ActiveProviders {
  const active = idps.filter(({ status }) => status === "ACTIVE");
  return new Map(active.map(({ id, type, name }) => [id, { id, type, name }]));
}

/** What the criteria of a rule select for a login. */
export interface DynamicSelection {
  /** The value of the expression. */
  readonly value: string;
  /** The active IdP with exactly this name; names are never empty. */
  readonly provider: NamedProvider | undefined;
}

/** A function that compiles the criteria of rules, over one index of the IdPs by name. */
export function createCriteriaCompiler(
  providers: ActiveProviders,
): (dynamic: DynamicProvider) => (login: string) => DynamicSelection {
  const byName = new Map(Array.from(providers.values(), (provider) => [provider.name, provider]));

  return function compileCriteria({ matchCriteria: [{ providerExpression }] }) {
    const calls = parseProviderExpression(providerExpression);
    return (login) => {
      const value = calls.reduce(evaluate, login);
      return { value, provider: byName.get(value) };
    };
  };
}

/** Without the separator, `substringBefore` is the whole text, `substringAfter` the empty one. */
function evaluate(text: string, call: ProviderCall): string {
  if (call.name === "toLowerCase") return text.toLowerCase();
  const place = text.indexOf(call.separator);
  if (call.name === "substringBefore") return place === -1 ? text : text.slice(0, place);
  return place === -1 ? "" : text.slice(place + call.separator.length);
}
