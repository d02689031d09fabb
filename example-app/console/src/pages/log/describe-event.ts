import type { LogEvent } from "../../api/types.js";
import { visible } from "../../parts/visible.js";
import { LOCALE } from "../../texts/language.js";
import { isEventType } from "./event-types.js";
import { logSentences as texts } from "../../texts/en/log-sentences.js";

/** A page of the console. */
export interface Place {
  readonly to:
    | "/rules/$id"
    | "/idps/$id"
    | "/zones/$id"
    | "/origins/$id"
    | "/users/$userId"
    | "/tokens"
    | "/tests"
    | "/rules";
  readonly id: string;
}

/** Text, the name of something, which may have a page, or what the server said. */
export type Part = string | Name | { readonly said: string };

interface Name {
  readonly name: string;
  readonly place?: Place | undefined;
}

/** What sentences say that events don't have. */
export interface Facts {
  readonly accountPrefix: string;
  readonly orgName: string;
}

type Entity = LogEvent["actor"];

const PLACES: Readonly<Record<string, Place["to"]>> = {
  PolicyRule: "/rules/$id",
  Policy: "/rules",
  IdentityProvider: "/idps/$id",
  Zone: "/zones/$id",
  TrustedOrigin: "/origins/$id",
  User: "/users/$userId",
  ApiToken: "/tokens",
  RoutingTest: "/tests",
};

/** What is gone has no page any more. */
const GONE_REGEXP = /\.(?:delete|completed|erase|revoke)$/;

const DATE = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium" });

/** A sentence with lists of parts in its places. */
type Sentence = (values: Readonly<Record<string, readonly Part[]>>) => readonly (string | readonly Part[])[];

/** An event in a sentence; `undefined` if this page doesn't know its type. */
export function describeEvent(event: LogEvent, facts: Facts): readonly Part[] | undefined {
  const { eventType, outcome } = event;
  if (!isEventType(eventType)) return undefined;
  const sentences = texts as unknown as Readonly<Record<string, Sentence | undefined>>;
  const hasFailed = outcome.result === "FAILURE";
  const sentence = (hasFailed ? sentences[`${eventType}:failed`] : undefined) ?? sentences[eventType];
  const parts = sentence && capitalise(sentence(valuesOf(event, facts)).flat());
  return parts && !hasFailed ? addDecision(parts, event) : parts;
}

/** A sentence begins with a capital, also if its first place has a word in it: `somebody` may stand elsewhere, too. */
function capitalise(parts: readonly Part[]): readonly Part[] {
  const first = parts.findIndex((part) => part !== "");
  return parts.map((part, index) =>
    index === first && typeof part === "string" ? part.charAt(0).toLocaleUpperCase(LOCALE) + part.slice(1) : part,
  );
}

export function textOf(parts: readonly Part[]): string {
  return parts.map(wordsOf).join("");
}

function wordsOf(part: Part): string {
  if (typeof part === "string") return part;
  return "said" in part ? part.said : part.name;
}

/** What stands in the places of a sentence. An event has what its own sentence names. */
function valuesOf(event: LogEvent, facts: Facts) {
  const { actor, target, eventType, client, outcome, debugContext } = event;
  const { debugData } = debugContext;
  const detail = target?.[0]?.detailEntry;
  return {
    get expires() {
      return [DATE.format(new Date(String(detail?.["expires"])))];
    },
    actor: describeActor(actor),
    target: [target?.[0] ? nameOf(target[0], !GONE_REGEXP.test(eventType)) : texts.noName],
    login: describeLogin(event, facts),
    providers: describeProviders(event, facts),
    client: [client.ipAddress === null ? texts.aClient : { name: client.ipAddress }],
    request: [{ name: [debugData["method"] ?? [], visible(debugData.requestUri)].flat().join(" ") }],
    reason: [outcome.reason === null ? texts.noReason : { said: visible(outcome.reason).replace(/^E\d+: /, "") }],
    restored: [String(detail?.["restored"])],
    requests: [
      debugData["requests"] === undefined
        ? texts.someRequests
        : texts.theRequests({ n: Number(debugData["requests"]) }),
    ],
  };
}

function describeActor(actor: Entity): Part[] {
  const { id, type } = actor;
  if (id === "unknown") return [texts.nobody];
  if (type === "SystemPrincipal") return [texts.server];
  if (type === "Command") return texts.command({ name: nameOf(actor) });
  return type === "ApiToken" ? texts.token({ name: nameOf(actor) }) : texts.person({ name: nameOf(actor, false) });
}

function describeProviders({ target }: LogEvent, { orgName }: Facts): Part[] {
  const providers = target?.filter(({ type }) => type === "IdentityProvider") ?? [];
  if (providers.length === 0) return [texts.noProvider];
  return providers.flatMap((provider, index): Part[] => [
    ...(index === 0 ? [] : [texts.comma]),
    provider.id === provider.displayName ? { name: visible(texts.itself({ org: orgName })) } : nameOf(provider),
  ]);
}

function describeLogin({ debugContext, _links }: LogEvent, { accountPrefix }: Facts): Part[] {
  const { url, requestUri } = debugContext.debugData;
  const query = new URLSearchParams(url.slice(requestUri.length + 1).replaceAll("+", "%2B"));
  const resource = _links?.trace ? new URL(_links.trace.href).searchParams.get("resource") : query.get("resource");
  const login =
    resource?.replace(accountPrefix, "").replace(/^acct:/, "") ?? query.get("login") ?? query.get("login_hint") ?? "";
  return login === "" ? [texts.somebody] : texts.login({ name: { name: visible(login) } });
}

/** `… (rule Partners)` */
function addDecision(sentence: readonly Part[], { debugContext, target }: LogEvent): readonly Part[] {
  const { policyId, reason } = debugContext.debugData;
  if (policyId === undefined) return sentence;
  const rule = target?.find(({ type }) => type === "PolicyRule");
  if (!rule) return texts.undecided({ sentence }).flat();
  const name = reason === "provider inactive" ? "decidedInactive" : "decided";
  return texts[name]<readonly Part[]>({ sentence, rule: [nameOf(rule)] }).flat();
}

/** @param hasPage whether it may have a page */
function nameOf(entity: Entity, hasPage = true): Name {
  const to = PLACES[entity.type];
  return { name: visible(entity.displayName), place: hasPage && to !== undefined ? { to, id: entity.id } : undefined };
}
