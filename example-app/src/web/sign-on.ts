import type { Request } from "express";
import { getQuery } from "etiquette/query-parameters";
import type { Idp } from "../model/records.js";
import { excerpt } from "../model/faults.js";
import { isHostName, LIMITS } from "../model/shapes.js";
import { assertText, invalid } from "../rest/body.js";

/** What is known about the person who signs in, as parameters of an OpenID Connect request. */
export type Hints = readonly (readonly [name: string, value: string])[];

/** The hints of a person with this login. */
export function toHints(login: string | undefined): Hints {
  return login === undefined ? [] : [["login_hint", login]];
}

/** The login in a parameter of the query, without white space around it; `undefined` when there is none. */
export function readLogin(req: Request, name: string): string | undefined {
  return trimLogin(name, getQuery(req).get(name));
}

/** @throws {ApiError} E0000001 when no login can be like the parameter `name` */
export function trimLogin(name: string, text = ""): string | undefined {
  const login = text.trim();
  assertText(name, login, LIMITS.login);
  return login === "" ? undefined : login;
}

/** Which accounts a provider should offer, as Microsoft (`domain_hint`) and Google (`hd`) have it. */
export const DOMAIN_HINTS: readonly string[] = ["domain_hint", "hd"];

/** Google: accounts of any domain that is an organisation's. */
const ANY_DOMAIN = "*";

/** @throws {ApiError} E0000001 when one is no domain name */
export function readDomainHints(req: Request): Hints {
  const query = getQuery(req);
  return DOMAIN_HINTS.flatMap((name) => {
    const value = (query.get(name) ?? "").trim();
    if (value === "") return [];
    if (!isHostName(value.toLowerCase()) && value !== ANY_DOMAIN) {
      throw invalid([[name, `must be a domain name such as example.com, not ${excerpt(value)}`]]);
    }
    return [[name, value]];
  });
}

/** The path of the link that WebFinger has for a provider. */
export function formatSignOnPath(id: string, hints: Hints = []): string {
  return addParameters(`/sso/idps/${id}`, hints);
}

/**
 * Where an identity provider signs people in, with the hints that the provider may read. OpenID Connect has `login_hint`
 * (Core section 3.1.2.1), and its large providers those of domains; OAuth 2.0 has none, and a request by HTTP-POST has no
 * query. SAML has no parameter either, but its large providers read the login. The URL has no fragment; a hint that it
 * holds already stays.
 */
export function formatSignOnUrl({ protocol: { type, endpoints } }: Idp, hints: Hints): string {
  const { url, binding } = endpoints.sso;
  const takesLogin = type === "SAML2" && binding === "HTTP-REDIRECT";
  if (type !== "OIDC" && !takesLogin) return url;
  return addMissing(
    url,
    hints.filter(([name]) => type === "OIDC" || name === "login_hint"),
  );
}

/** Adds the parameters that the query of a URL without fragment does not have yet. */
export function addMissing(url: string, parameters: Hints): string {
  if (parameters.length === 0) return url;
  const { searchParams } = new URL(url);
  return addParameters(
    url,
    parameters.filter(([name]) => !searchParams.has(name)),
  );
}

/** Adds parameters to the query of a URL or path without fragment; what is there stays as it is. */
export function addParameters(url: string, parameters: Hints): string {
  if (parameters.length === 0) return url;
  const separator = !url.includes("?") ? "?" : /[?&]$/.test(url) ? "" : "&";
  return url + separator + parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
}
