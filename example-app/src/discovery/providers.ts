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
interface DynamicSelection {
  /** The value of the expression. */
  readonly value: string;
  /** The active IdP with exactly this name; names are never empty. */
  readonly provider: NamedProvider | undefined;
}

/** What the criteria of a rule select for a login. */
export type CompiledCriteria = (texts: LoginTexts) => DynamicSelection;

/** A login, and the texts that were computed of it. */
export interface LoginTexts {
  readonly login: string;
  readonly computed: Map<ExpressionPart, string>;
}

/** An expression, or the beginning of longer ones. */
interface ExpressionPart {
  readonly number: number;
  /** `undefined` for the login itself. */
  readonly parent?: ExpressionPart;
  readonly call?: ProviderCall;
}

export function createLoginTexts(login: string): LoginTexts {
  return { login, computed: new Map() };
}

/**
 * A function that compiles the criteria of rules, over one index of the IdPs by name. What the expressions of several
 * rules begin with is computed once for a login.
 */
export function createCriteriaCompiler(providers: ActiveProviders): (dynamic: DynamicProvider) => CompiledCriteria {
  const byName = new Map(Array.from(providers.values(), (provider) => [provider.name, provider]));
  const parts = new Map<string, ExpressionPart>();
  const whole: ExpressionPart = { number: 0 };

  return function compileCriteria({ matchCriteria: [{ providerExpression }] }) {
    const expression = parseProviderExpression(providerExpression).reduce(lengthen, whole);
    return (texts) => {
      const value = textOf(expression, texts);
      return { value, provider: byName.get(value) };
    };
  };

  function lengthen(parent: ExpressionPart, call: ProviderCall): ExpressionPart {
    const key = `${parent.number} ${JSON.stringify(call)}`;
    let part = parts.get(key);
    if (!part) parts.set(key, (part = { number: parts.size + 1, parent, call }));
    return part;
  }
}

function textOf(part: ExpressionPart, texts: LoginTexts): string {
  const { parent, call } = part;
  if (!parent || !call) return texts.login;
  let text = texts.computed.get(part);
  if (text === undefined) texts.computed.set(part, (text = evaluate(textOf(parent, texts), call)));
  return text;
}

/** Without the separator, `substringBefore` is the whole text, `substringAfter` the empty one. */
function evaluate(text: string, call: ProviderCall): string {
  if (call.name === "toLowerCase") return text.toLowerCase();
  const place = text.indexOf(call.separator);
  if (call.name === "substringBefore") return place === -1 ? text : text.slice(0, place);
  return place === -1 ? "" : text.slice(place + call.separator.length);
}
