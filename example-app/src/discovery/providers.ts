import { isIssuer, type SelectedProvider } from "etiquette/webfinger";
import type { ApiSettings } from "../model/api-settings.js";
import type { DynamicProvider, Idp, RoutedIdp } from "../model/records.js";
import { parseProviderExpression, type ProviderCall } from "../model/provider-expression.js";
import type { Steps } from "../pace/steps.js";

/** A configured IdP. */
export type NamedProvider = Pick<Idp, "id" | "type" | "name">;

/** Where a rule leads: a configured IdP, or the org itself. */
export type Provider = NamedProvider | "org";

/** The active IdPs by id. */
export type ActiveProviders = ReadonlyMap<string, NamedProvider>;

/** The issuers of the active OpenID Providers, by id; without texts that are stored as an issuer but can be none. */
export type Issuers = ReadonlyMap<string, string>;

/** What each IdP costs, see {@link Steps}: its issuer is in JSON. */
const IDP_COST = 4;

/** @param idps each is taken only when the one before is compiled */
export function* compileProvidersInSteps(
  idps: Iterable<RoutedIdp>,
): Steps<Readonly<{ providers: ActiveProviders; issuers: Issuers }>> {
  const providers = new Map<string, NamedProvider>();
  const issuers = new Map<string, string>();
  for (const { id, type, name, status, issuer } of idps) {
    yield IDP_COST;
    if (status !== "ACTIVE") continue;
    providers.set(id, { id, type, name });
    if (issuer !== undefined && isIssuer(issuer)) issuers.set(id, issuer);
  }
  return { providers, issuers };
}

/** The providers that rules selected, for WebFinger: with their issuers if its links lead there. */
export function nameIssuers(
  providers: readonly Provider[],
  issuers: Issuers,
  issuerHref: ApiSettings["issuerHref"],
): readonly SelectedProvider[] {
  if (issuerHref === "org") return providers;
  return providers.map((provider) =>
    provider === "org" ? provider : { ...provider, issuer: issuers.get(provider.id) ?? null },
  );
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
