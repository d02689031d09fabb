import { Router, type Request, type RequestHandler, type Response } from "express";
import { methodNotAllowed } from "etiquette/method-not-allowed";
import { compileNamespace } from "etiquette/namespace";
import { getQuery, queryParameters } from "etiquette/query-parameters";
import type { Idp } from "../model/records.js";
import { LIMITS } from "../model/shapes.js";
import { assertText } from "../rest/body.js";
import { resourceNotFound } from "../rest/reading.js";
import type { ApiDependencies } from "../rest/resource.js";
import { getTenant } from "../tenancy/tenant.js";
import { createResolver } from "./resolver.js";
import { formatSignInPage, PAGE_POLICY } from "./sso-page.js";

const LABEL = "IdentityProvider";

/**
 * The targets of WebFinger's links, for browsers: `/idps/<id>` redirects to the sign-on address of an active identity
 * provider, `/idps/SVC` is the org's own sign-in page, and `/login` receives its form. The server signs nobody in and
 * creates no protocol message.
 */
export function sso({ settings, store, routings }: Readonly<ApiDependencies>): Router {
  const { value: orgType } = compileNamespace("sso", settings.namespace);
  const resolve = createResolver(store, routings);
  const router = Router({ caseSensitive: true, strict: true });

  const signOn: RequestHandler = async (req, res) => {
    const { org } = getTenant(req);
    const id = String(req.params["id"]);
    const hint = readLogin(req, "login_hint");
    if (id === orgType) {
      sendPage(res, formatSignInPage(org.name, hint));
      return;
    }
    const idp = await store.findActiveIdp(org.id, id);
    if (!idp) throw resourceNotFound(id, LABEL);
    redirect(res, 302, formatSignOnUrl(idp, hint));
  };

  const login: RequestHandler = async (req, res) => {
    const { org } = getTenant(req);
    const text = readLogin(req, "login");
    if (text === undefined) {
      redirect(res, 303, `/sso/idps/${orgType}`);
      return;
    }
    const [provider] = [await resolve(text, req)].flat();
    if (typeof provider === "object" && provider !== null) {
      redirect(res, 303, `/sso/idps/${provider.id}?login_hint=${encodeURIComponent(text)}`);
    } else {
      sendPage(res, formatSignInPage(org.name, text, true));
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
