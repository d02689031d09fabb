import express, { type ErrorRequestHandler, type Request, type RequestHandler } from "express";
import { contentType } from "etiquette/content-type";
import { compileNamespace } from "etiquette/namespace";
import { getQuery, queryParameters } from "etiquette/query-parameters";
import { createBodyVerifier } from "etiquette/utf8-guard";
import { excerpt } from "../model/faults.js";
import type { Issuers } from "../discovery/providers.js";
import { isHttpUrl, LIMITS } from "../model/shapes.js";
import { assertText, invalid } from "../rest/body.js";
import type { ApiDependencies } from "../rest/resource.js";
import { chain } from "../tenancy/chain.js";
import type { SignOnCache } from "../tenancy/sign-on-cache.js";
import { getTenant } from "../tenancy/tenant.js";
import { createProviderFinder } from "./resolver.js";
import { addParameters, formatSignOnPath, formatSignOnUrl, toHints, trimLogin } from "./sign-on.js";
import { redirect, refuse } from "./sso-response.js";

const PARAMETERS = ["iss", "login_hint", "target_link_uri"];
const FORM = "application/x-www-form-urlencoded";

/** Of a form: three times what the longest parameters have, for percent-encoding. */
const MAX_BYTES = 16_384;
const MAX_PARAMETERS = 100;

interface InitiatedLogin {
  readonly iss: string;
  readonly login: string | undefined;
  /** As the URL parser writes it. */
  readonly target: URL | undefined;
}

/** The handlers of a login that a third party begins, by GET and by POST. */
export interface LoginInitiation {
  readonly get: (RequestHandler | ErrorRequestHandler)[];
  readonly post: (RequestHandler | ErrorRequestHandler)[];
}

/**
 * Begins a login that a third party, such as a portal, asks for (OpenID Connect Core section 4). The person goes to the
 * OpenID provider with the issuer, or, with `target_link_uri`, to that page of an application, which gets issuer and
 * login: the application is the relying party, and this server makes no protocol message.
 */
export function initiateLogin({
  settings,
  signOns,
  routings,
}: Readonly<Pick<ApiDependencies, "settings" | "routings"> & { signOns: SignOnCache }>): LoginInitiation {
  const { value: orgType } = compileNamespace("sso", settings.namespace);
  const findProvider = createProviderFinder(signOns, routings);

  const initiate: RequestHandler = async (req, res) => {
    const { org, trust } = getTenant(req);
    const { iss, login, target } = readParameters(req);
    const routing = await chain(routings.get(org.id), (found) => found);
    const id = routing && findIssuer(routing.records.issuers, iss);
    const idp = id === undefined ? undefined : await findProvider(req, id);
    if (!idp) throw invalid([["iss", `${excerpt(iss)} is the issuer of no active OpenID provider of this org`]]);
    if (!target) {
      redirect(res, 303, formatSignOnUrl(idp, toHints(login)));
      return;
    }
    if (!trust.redirectOrigins.includes(target.origin)) {
      throw invalid([["target_link_uri", `${excerpt(target.origin)} is no trusted origin with the scope REDIRECT`]]);
    }
    redirect(res, 303, addParameters(target.href, [["iss", iss], ...toHints(login)]));
  };

  const explain: ErrorRequestHandler = (error, req, res, _next) => {
    refuse(req, res, error, {
      title: "This sign-in can't go on",
      next: { name: `Sign in to ${getTenant(req).org.name}`, href: formatSignOnPath(orgType) },
    });
  };

  const readForm = express.urlencoded({
    extended: false,
    limit: MAX_BYTES,
    parameterLimit: MAX_PARAMETERS,
    verify: createBodyVerifier({ format: "form" }),
  });
  return {
    get: [queryParameters({ single: PARAMETERS, plus: "space" }), initiate, explain],
    post: [contentType({ consumes: [FORM], negotiate: false }), readForm, initiate, explain],
  };
}

/** The first by name, if several have the issuer. */
function findIssuer(issuers: Issuers, iss: string): string | undefined {
  for (const [id, issuer] of issuers) if (issuer === iss) return id;
  return undefined;
}

/** @throws {ApiError} E0000001 when a parameter is missing, is repeated, or can't be what it should be */
function readParameters(req: Request): InitiatedLogin {
  const read = req.method === "POST" ? formReader(req.body) : (name: string) => getQuery(req).get(name);
  const iss = read("iss") ?? "";
  if (iss === "") throw invalid([["iss", "is required"]]);
  assertText("iss", iss, LIMITS.text);
  return { iss, login: trimLogin("login_hint", read("login_hint")), target: parseTarget(read("target_link_uri")) };
}

function formReader(body: unknown): (name: string) => string | undefined {
  const form = (body ?? {}) as Readonly<Record<string, string | string[] | undefined>>;
  return (name) => {
    const value = form[name];
    if (Array.isArray(value)) throw invalid([[name, "takes one value"]]);
    return value;
  };
}

/** Its own `iss` and `login_hint` would stand beside those that were checked. */
function parseTarget(text = ""): URL | undefined {
  if (text === "") return undefined;
  assertText("target_link_uri", text, LIMITS.text);
  if (!isHttpUrl(text)) {
    throw invalid([["target_link_uri", "must be an https or http URL without user name, fragment and white space"]]);
  }
  const url = new URL(text);
  const own = ["iss", "login_hint"].find((name) => url.searchParams.has(name));
  if (own !== undefined) throw invalid([["target_link_uri", `must not have the parameter ${own}`]]);
  return url;
}
