import { Router, type Request, type RequestHandler, type Response } from "express";
import { methodNotAllowed } from "etiquette/method-not-allowed";
import { compileNamespace } from "etiquette/namespace";
import { queryParameters } from "etiquette/query-parameters";
import type { Provider } from "../discovery/providers.js";
import { resourceNotFound } from "../rest/reading.js";
import type { ApiDependencies } from "../rest/resource.js";
import { getTenant } from "../tenancy/tenant.js";
import { initiateLogin } from "./initiate-login.js";
import { createResolver } from "./resolver.js";
import {
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
 * provider, `/idps/SVC` is the org's own sign-in page, and `/login` receives its form: it redirects to the provider that
 * discovery selects, or lets people choose among several, as many as a rule may have. The path itself begins logins that
 * third parties ask for. The server signs nobody in and creates no protocol message.
 */
export function sso(dependencies: Readonly<ApiDependencies>): Router {
  const { settings, store, routings } = dependencies;
  const { value: orgType } = compileNamespace("sso", settings.namespace);
  const resolve = createResolver(store, routings);
  const initiation = initiateLogin(dependencies);
  const router = Router({ caseSensitive: true, strict: true });

  const signOn: RequestHandler = async (req, res) => {
    const { org } = getTenant(req);
    const id = String(req.params["id"]);
    const hint = readLogin(req, "login_hint");
    const hints = readDomainHints(req);
    if (id === orgType) {
      sendPage(res, formatSignInPage(org.name, { login: hint, hints }));
      return;
    }
    const idp = await store.findActiveIdp(org.id, id);
    if (idp) redirect(res, 302, formatSignOnUrl(idp, [...toHints(hint), ...hints]));
    else refuseIdp(req, res, id, { hint, hints });
  };

  const login: RequestHandler = async (req, res) => {
    const { org } = getTenant(req);
    const text = readLogin(req, "login");
    const hints = readDomainHints(req);
    const again = formatSignOnPath(orgType, hints);
    if (text === undefined) {
      redirect(res, 303, again);
      return;
    }
    const formatHref = (provider: Provider) =>
      formatSignOnPath(provider === "org" ? orgType : provider.id, [...toHints(text), ...hints]);
    const { providers } = await resolve(text, req);
    const [first, ...others] = providers;
    if (first === undefined || (first === "org" && others.length === 0)) {
      sendPage(res, formatSignInPage(org.name, { login: text, isDiscovered: true, hints }));
    } else if (others.length === 0) {
      redirect(res, 303, formatHref(first));
    } else {
      const choices = providers.map((provider) => ({
        name: provider === "org" ? `${org.name} itself` : provider.name,
        href: formatHref(provider),
      }));
      sendPage(res, formatChoicePage(org.name, text, choices, again));
    }
  };

  router
    .route("/")
    .all(refuseSlash)
    .get(...initiation.get)
    .post(...initiation.post)
    .all(methodNotAllowed());
  router
    .route("/idps/:id")
    .get(queryParameters({ single: ["login_hint", ...DOMAIN_HINTS], plus: "space" }), signOn)
    .all(methodNotAllowed());
  router
    .route("/login")
    .get(queryParameters({ single: ["login", ...DOMAIN_HINTS], plus: "space" }), login)
    .all(methodNotAllowed());
  return router;
}

/** `/sso/` is no path: the router can't tell it from `/sso`. */
const refuseSlash: RequestHandler = ({ originalUrl }, _res, next) => {
  next(originalUrl.startsWith("/sso/") ? "router" : undefined);
};

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
