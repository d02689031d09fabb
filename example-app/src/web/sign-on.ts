import type { Request } from "express";
import { getQuery } from "etiquette/query-parameters";
import type { Idp } from "../model/records.js";
import { LIMITS } from "../model/shapes.js";
import { assertText } from "../rest/body.js";

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

/** The path of the link that WebFinger has for a provider. */
export function formatSignOnPath(id: string, hints: Hints = []): string {
  return addParameters(`/sso/idps/${id}`, hints);
}

/**
 * Where an identity provider signs people in, with the login in `login_hint` (OpenID Connect Core section 3.1.2.1) if the
 * provider may read it: OAuth 2.0 has no such parameter, and a request by HTTP-POST has no query. SAML has no parameter
 * either, but its large providers read this one. The URL has no fragment; a hint that it holds already stays.
 */
export function formatSignOnUrl({ protocol: { type, endpoints } }: Idp, hints: Hints): string {
  const { url, binding } = endpoints.sso;
  const takesHint = type === "OIDC" || (type === "SAML2" && binding === "HTTP-REDIRECT");
  if (!takesHint || hints.length === 0) return url;
  const { searchParams } = new URL(url);
  return addParameters(
    url,
    hints.filter(([name]) => !searchParams.has(name)),
  );
}

/** Adds parameters to the query of a URL or path without fragment; what is there stays as it is. */
export function addParameters(url: string, parameters: Hints): string {
  if (parameters.length === 0) return url;
  const separator = !url.includes("?") ? "?" : /[?&]$/.test(url) ? "" : "&";
  return url + separator + parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
}
