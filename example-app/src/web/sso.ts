import { Router, type RequestHandler, type Response } from "express";
import { methodNotAllowed } from "etiquette/method-not-allowed";
import { compileNamespace } from "etiquette/namespace";
import { getQuery, queryParameters } from "etiquette/query-parameters";
import { LIMITS } from "../model/shapes.js";
import { invalid } from "../rest/body.js";
import { resourceNotFound } from "../rest/reading.js";
import type { ApiDependencies } from "../rest/resource.js";
import { getTenant } from "../tenancy/tenant.js";
import { createResolver } from "./resolver.js";
import { formatSignInPage, PAGE_POLICY } from "./sso-page.js";

const LABEL = "IdentityProvider";

/** Logins contain no control characters, and databases may refuse them. */
const CONTROL_REGEXP = /\p{Cc}/u;

/**
 * The targets of WebFinger's links, for browsers: `/idps/<id>` redirects to the sign-on address of an active identity
 * provider, `/idps/SVC` is the org's own sign-in page, and `/login` receives its form. The server signs nobody in and
 * creates no protocol message.
 */
export function sso({ settings, store }: Readonly<ApiDependencies>): Router {
  const { value: orgType } = compileNamespace("sso", settings.namespace);
  const resolve = createResolver(store);
  const router = Router({ caseSensitive: true, strict: true });

  const signOn: RequestHandler = async (req, res) => {
    const { org } = getTenant(req);
    const id = String(req.params["id"]);
    if (id === orgType) {
      sendPage(res, formatSignInPage(org.name));
      return;
    }
    const idp = await store.findActiveIdp(org.id, id);
    if (!idp) throw resourceNotFound(id, LABEL);
    redirect(res, 302, idp.protocol.endpoints.sso.url);
  };

  const login: RequestHandler = async (req, res) => {
    const { org } = getTenant(req);
    const text = (getQuery(req).get("login") ?? "").trim();
    if (text === "") {
      redirect(res, 303, `/sso/idps/${orgType}`);
      return;
    }
    if (text.length > LIMITS.login) {
      throw invalid([["login", `has ${text.length} characters; at most ${LIMITS.login} are allowed`]]);
    }
    if (CONTROL_REGEXP.test(text)) throw invalid([["login", "holds a control character"]]);
    const [provider] = [await resolve(text, req)].flat();
    if (typeof provider === "object" && provider !== null) redirect(res, 303, `/sso/idps/${provider.id}`);
    else sendPage(res, formatSignInPage(org.name, text));
  };

  router.route("/idps/:id").get(signOn).all(methodNotAllowed());
  router
    .route("/login")
    .get(queryParameters({ single: ["login"], plus: "space" }), login)
    .all(methodNotAllowed());
  return router;
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
