import { Router, type Request, type RequestHandler, type Response } from "express";
import { compileAccept } from "etiquette/accept";
import { methodNotAllowed } from "etiquette/method-not-allowed";
import { compileNamespace } from "etiquette/namespace";
import { getQuery, queryParameters } from "etiquette/query-parameters";
import { noteRefusal } from "../audit/request-observer.js";
import type { Provider } from "../discovery/providers.js";
import type { Idp } from "../model/records.js";
import { LIMITS } from "../model/shapes.js";
import { assertText } from "../rest/body.js";
import { resourceNotFound } from "../rest/reading.js";
import type { ApiDependencies } from "../rest/resource.js";
import { getTenant } from "../tenancy/tenant.js";
import { createResolver } from "./resolver.js";
import { formatChoicePage, formatRefusalPage, formatSignInPage, PAGE_POLICY } from "./sso-page.js";

const LABEL = "IdentityProvider";

/** Whoever asks for no type, or for any, is no browser. */
const HTML = "text/html";
const selectType = compileAccept(["application/json", HTML]);

/**
 * The targets of WebFinger's links, for browsers: `/idps/<id>` redirects to the sign-on address of an active identity
 * provider, `/idps/SVC` is the org's own sign-in page, and `/login` receives its form: it redirects to the provider that
 * discovery selects, or lets people choose among several, as many as a rule may have. The server signs nobody in and
 * creates no protocol message.
 */
export function sso({ settings, store, routings }: Readonly<ApiDependencies>): Router {
  const { value: orgType } = compileNamespace("sso", settings.namespace);
  const resolve = createResolver(store, routings);
  const router = Router({ caseSensitive: true, strict: true });

  const pathOf = (provider: Provider) => (provider === "org" ? orgType : provider.id);

  const signOn: RequestHandler = async (req, res) => {
    const { org } = getTenant(req);
    const id = String(req.params["id"]);
    const hint = readLogin(req, "login_hint");
    if (id === orgType) {
      sendPage(res, formatSignInPage(org.name, hint));
      return;
    }
    const idp = await store.findActiveIdp(org.id, id);
    if (idp) redirect(res, 302, formatSignOnUrl(idp, hint));
    else refuseIdp(req, res, id, hint);
  };

  const login: RequestHandler = async (req, res) => {
    const { org } = getTenant(req);
    const text = readLogin(req, "login");
    if (text === undefined) {
      redirect(res, 303, formatPath(orgType));
      return;
    }
    const { providers } = await resolve(text, req);
    const [first, ...others] = providers;
    if (first === undefined || (first === "org" && others.length === 0)) {
      sendPage(res, formatSignInPage(org.name, text, true));
    } else if (others.length === 0) {
      redirect(res, 303, formatPath(pathOf(first), text));
    } else {
      const choices = providers.map((provider) => ({
        name: provider === "org" ? `${org.name} itself` : provider.name,
        href: formatPath(pathOf(provider), text),
      }));
      sendPage(res, formatChoicePage(org.name, text, choices, formatPath(orgType)));
    }
  };

  router
    .route("/idps/:id")
    .get(queryParameters({ single: ["login_hint"], plus: "space" }), signOn)
    .all(methodNotAllowed());
  router
    .route("/login")
    .get(queryParameters({ single: ["login"], plus: "space" }), login)
    .all(methodNotAllowed());
  return router;
}

/** The path of the link that WebFinger has for a provider. */
function formatPath(id: string, hint?: string): string {
  return `/sso/idps/${id}${hint === undefined ? "" : `?login_hint=${encodeURIComponent(hint)}`}`;
}

/** Refuse a provider that is not active, or not there. People whose login is known can choose again. */
function refuseIdp(req: Request, res: Response, id: string, hint: string | undefined): void {
  const error = resourceNotFound(id, LABEL);
  if (hint === undefined || selectType(req.headers.accept) !== HTML) throw error;
  noteRefusal(error, req);
  const next = { name: "Choose again", href: `/sso/login?login=${encodeURIComponent(hint)}` };
  const text = "It was switched off or removed, or the link is wrong.";
  res.status(error.status);
  sendPage(res, formatRefusalPage("This identity provider is not available", text, next));
}

/** The login in a parameter of the query, without white space around it; `undefined` when there is none. */
function readLogin(req: Request, name: string): string | undefined {
  const login = (getQuery(req).get(name) ?? "").trim();
  assertText(name, login, LIMITS.login);
  return login === "" ? undefined : login;
}

/**
 * Where an identity provider signs people in, with the login in `login_hint` (OpenID Connect Core section 3.1.2.1) if the
 * provider may read it: OAuth 2.0 has no such parameter, and a request by HTTP-POST has no query. SAML has no parameter
 * either, but its large providers read this one. The URL has no fragment; a hint that it holds already stays.
 */
function formatSignOnUrl({ protocol: { type, endpoints } }: Idp, hint: string | undefined): string {
  const { url, binding } = endpoints.sso;
  const takesHint = type === "OIDC" || (type === "SAML2" && binding === "HTTP-REDIRECT");
  if (hint === undefined || !takesHint || /[?&]login_hint=/.test(url)) return url;
  const separator = !url.includes("?") ? "?" : /[?&]$/.test(url) ? "" : "&";
  return `${url}${separator}login_hint=${encodeURIComponent(hint)}`;
}

function redirect(res: Response, status: 302 | 303, location: string): void {
  forbidCaching(res);
  res.status(status).setHeader("Location", location);
  res.end();
}

function sendPage(res: Response, html: string): void {
  forbidCaching(res);
  res.setHeader("Content-Security-Policy", PAGE_POLICY);
  res.setHeader("Content-Type", "text/html; charset=utf-8");
  res.send(html);
}

/** Responses depend on rules that change, and the login in the URL is private. */
function forbidCaching(res: Response): void {
  res.setHeader("Cache-Control", "no-store");
  res.setHeader("Referrer-Policy", "no-referrer");
  res.setHeader("X-Content-Type-Options", "nosniff");
}
