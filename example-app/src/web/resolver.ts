import type { Request } from "express";
import { getRequestContext, type RequestContext } from "etiquette/request-context";
import type { WebfingerOptions } from "etiquette/webfinger";
import { noteDecision } from "../audit/request-facts.js";
import { UnreadableProfile, type Profile, type Question } from "../discovery/conditions.js";
import { nameProvider } from "../discovery/compile-routing.js";
import { nameIssuers, type Issuers, type Provider } from "../discovery/providers.js";
import { toClientPlatform, type ClientPlatform } from "../discovery/platform.js";
import type { ApiSettings } from "../model/api-settings.js";
import type { Idp } from "../model/records.js";
import type { Store } from "../store/store.js";
import { chain } from "../tenancy/chain.js";
import type { Outage } from "../tenancy/outage.js";
import type { RoutingCache } from "../tenancy/routing-cache.js";
import { signOnKey, type SignOnCache } from "../tenancy/sign-on-cache.js";
import { getTenant, unknownHost } from "../tenancy/tenant.js";
import { hostName } from "../tenancy/tenants.js";

/** Where a person signs in. */
interface Selection {
  /** At least one, in order of preference. */
  readonly providers: readonly Provider[];
  readonly issuers: Issuers;
}

interface ResolverParts {
  readonly store: Pick<Store, "findUserProfile">;
  readonly routings: RoutingCache;
  readonly outage: Outage;
}

export type ProviderResolver = (login: string, req: Request) => Selection | Promise<Selection>;

/** Find out by the routing rules of the request's org where the person with this login signs in. */
export function createResolver({ store, routings, outage }: Readonly<ResolverParts>): ProviderResolver {
  return function resolveProviders(login, req) {
    const { org } = getTenant(req);
    return chain(routings.get(org.id), (routing) => {
      if (!routing) throw unknownHost(hostName(req.headers.host ?? "")); // removed since the request began
      const { policyId, revision, records, whenProfileUnavailable } = routing;
      const read = (names: readonly string[]) => store.findUserProfile(org.id, login, names);
      const lookupProfile = whenProfileUnavailable === "UNAVAILABLE" ? read : orUnreadable(read, outage);
      const question = new RequestQuestion(login, req, lookupProfile);
      const { issuers } = records;
      return chain(routing.route(question), (answer) => {
        noteDecision(req, { policyId, revision, answer });
        return { providers: answer.providers, issuers };
      });
    });
  };
}

const UNREADABLE = { value: "unreadable", onUse: () => undefined } as const;

/** Says at once, or soon, that the profile can't be read. */
function orUnreadable(read: Question["lookupProfile"], outage: Outage): Question["lookupProfile"] {
  return async (names) => {
    const found = await outage.bridge<Profile | "unreadable">(() => read(names), UNREADABLE);
    if (found === "unreadable") throw new UnreadableProfile();
    return found;
  };
}

/** Find the active provider that a request itself names, and keep that for the log. */
export function createProviderFinder(signOns: SignOnCache, routings: RoutingCache) {
  return async function findProvider(req: Request, id: string): Promise<Idp | undefined> {
    const { org } = getTenant(req);
    const idp = await signOns.get(signOnKey(org.id, id));
    const routing = idp && (await Promise.resolve(routings.get(org.id)).catch(() => undefined)); // people sign in all the same
    if (!routing) return idp;
    const { policyId, revision } = routing;
    noteDecision(req, { policyId, revision, answer: nameProvider(idp) });
    return idp;
  };
}

/** The same in WebFinger's form. */
export function createWebfingerResolver(
  resolve: ProviderResolver,
  issuerHref: ApiSettings["issuerHref"],
): WebfingerOptions["resolve"] {
  return (login, req) =>
    chain(resolve(login, req), ({ providers, issuers }) => nameIssuers(providers, issuers, issuerHref));
}

/** Derives the facts that rules ask for from the request, when a rule needs them. */
class RequestQuestion implements Question {
  readonly #context: RequestContext;

  constructor(
    readonly login: string,
    req: Request,
    readonly lookupProfile: Question["lookupProfile"],
  ) {
    this.#context = getRequestContext(req);
  }

  get clientIp(): string | undefined {
    return this.#context.ip ?? undefined;
  }

  get platform(): ClientPlatform {
    return toClientPlatform(this.#context.userAgent);
  }
}
