import { Router, type Request, type RequestHandler, type Response } from "express";
import { methodNotAllowed } from "etiquette/method-not-allowed";
import { compileNamespace } from "etiquette/namespace";
import { queryParameters } from "etiquette/query-parameters";
import type { Provider } from "../discovery/providers.js";
import { isSignOnPath } from "../model/sign-on-path.js";
import { resourceNotFound } from "../rest/reading.js";
import type { ApiDependencies } from "../rest/resource.js";
import type { Outage } from "../tenancy/outage.js";
import type { SignOnCache } from "../tenancy/sign-on-cache.js";
import { getTenant } from "../tenancy/tenant.js";
import { initiateLogin } from "./initiate-login.js";
import { createProviderFinder, createResolver } from "./resolver.js";
import {
  addMissing,
  addParameters,
  DOMAIN_HINTS,
  formatSignOnPath,
  formatSignOnUrl,
  readDomainHints,
  readLogin,
  toHints,
  type Hints,
} from "./sign-on.js";
import { formatChoicePage, formatSignInPage } from "./sso-page.js";
import { redirect, refuse, sendPage } from "./sso-response.js";

const LABEL = "IdentityProvider";

/**
 * The targets of WebFinger's links, for browsers: `/idps/<id>` redirects to the sign-on address of an active identity
 * provider, `/idps/SVC` to that of the org itself, or, if it has none, is a page that asks for a login. `/login` receives
 * its form: it redirects to the provider that discovery selects, or lets people choose among several, as many as a rule
 * may have. The path itself begins logins that third parties ask for. The server signs nobody in and creates no protocol
 * message.
 */
export function sso(
  dependencies: Readonly<
    Pick<ApiDependencies, "settings" | "store" | "routings"> & { signOns: SignOnCache; outage: Outage }
  >,
): Router {
  const { store, routings, signOns, outage } = dependencies;
  const { value: orgType } = compileNamespace("sso", dependencies.settings.namespace);
  const resolve = createResolver({ store, routings, outage });
  const findProvider = createProviderFinder(signOns, routings);
  const initiation = initiateLogin(dependencies);
  const router = Router({ caseSensitive: true, strict: true });

  const signOn: RequestHandler = async (req, res) => {
    const { org } = getTenant(req);
    const id = String(req.params["id"]);
    const hint = readLogin(req, "login_hint");
    const hints = readDomainHints(req);
    if (id === orgType) {
      const url = findSignInUrl(req);
      if (url === undefined) sendPage(res, formatSignInPage(org.name, { login: hint, hints }));
      else redirect(res, 302, addMissing(url, [...toHints(hint), ...hints]));
      return;
    }
    const idp = await findProvider(req, id);
    if (idp) redirect(res, 302, formatSignOnUrl(idp, [...toHints(hint), ...hints]));
    else refuseIdp(req, res, id, { hint, hints });
  };

  const login: RequestHandler = async (req, res) => {
    const { org } = getTenant(req);
    const text = readLogin(req, "login");
    const hints = readDomainHints(req);
    if (text === undefined) {
      sendPage(res, formatSignInPage(org.name, { login: undefined, hints }));
      return;
    }
    const formatHref = (provider: Provider) =>
      formatSignOnPath(provider === "org" ? orgType : provider.id, [...toHints(text), ...hints]);
    const [first = "org", ...others] = (await resolve(text, req)).providers;
    if (first === "org" && others.length === 0 && findSignInUrl(req) === undefined) {
      sendPage(res, formatSignInPage(org.name, { login: text, isDiscovered: true, hints }));
    } else if (others.length === 0) {
      redirect(res, 303, formatHref(first));
    } else {
      const choices = [first, ...others].map((provider) => ({
        name: provider === "org" ? `${org.name} itself` : provider.name,
        href: formatHref(provider),
      }));
      sendPage(res, formatChoicePage(org.name, text, choices, addParameters("/sso/login", hints)));
    }
  };

  router
    .route("/")
    .all(refuseSlash)
    .get(...initiation.get)
    .post(...initiation.post)
    .all(methodNotAllowed());
  router.route("/idps/:id").get(readWith("login_hint"), signOn).all(methodNotAllowed());
  router.route("/login").get(readWith("login"), login).all(methodNotAllowed());
  return router;
}

/** Reads one parameter and the hints of domains. */
const readWith = (name: string): RequestHandler => queryParameters({ single: [name, ...DOMAIN_HINTS], plus: "space" });

/** `/sso/` is no path: the router can't tell it from `/sso`. */
const refuseSlash: RequestHandler = ({ originalUrl }, _res, next) => {
  next(originalUrl.startsWith("/sso/") ? "router" : undefined);
};

/** Where the org itself signs people in. These pages are no such place: they would lead to themselves. */
function findSignInUrl(req: Request): string | undefined {
  const { org, baseUrl } = getTenant(req);
  if (org.signInUrl === null) return undefined;
  const { origin, pathname } = new URL(org.signInUrl);
  const isOwn = origin === new URL(baseUrl).origin && isSignOnPath(pathname);
  return isOwn ? undefined : org.signInUrl;
}

/** What a link says about the person. */
interface KnownHints {
  readonly hint: string | undefined;
  readonly hints: Hints;
}

/** Refuse a provider that is not active, or not there. People whose login is known can choose again. */
function refuseIdp(req: Request, res: Response, id: string, { hint, hints }: KnownHints): void {
  const error = resourceNotFound(id, LABEL);
  if (hint === undefined) throw error;
  refuse(req, res, error, {
    title: "This identity provider is not available",
    text: "It was switched off or removed, or the link is wrong.",
    next: { name: "Choose again", href: addParameters("/sso/login", [["login", hint], ...hints]) },
  });
}
