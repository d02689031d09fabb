import type { Request, Response } from "express";
import { compileAccept } from "etiquette/accept";
import { noteRefusal } from "../audit/request-observer.js";
import { formatRefusalPage, PAGE_POLICY, type Choice } from "./sso-page.js";

const HTML = "text/html";
const selectType = compileAccept(["application/json", HTML]);

/** Whether a person reads the response. Whoever asks for no type, or for any, is no browser. */
function isBrowser({ headers }: Request): boolean {
  return selectType(headers.accept) === HTML;
}

export function redirect(res: Response, status: 302 | 303, location: string): void {
  forbidCaching(res);
  res.status(status).setHeader("Location", location);
  res.end();
}

export function sendPage(res: Response, html: string): void {
  forbidCaching(res);
  res.setHeader("Content-Security-Policy", PAGE_POLICY);
  res.setHeader("Content-Type", "text/html; charset=utf-8");
  res.send(html);
}

/** What the page of a refusal says. */
export interface RefusalTexts {
  readonly title: string;
  /** The first cause of the error by default. */
  readonly text?: string;
  /** The link that goes on. */
  readonly next: Choice;
}

/** Send an error as a page. Of a 5xx, and to who is no browser, the error formatter sends it. */
export function refuse(req: Request, res: Response, error: unknown, { title, text, next }: RefusalTexts): void {
  const { status, errorObject } = noteRefusal(error, req);
  if (status >= 500 || !isBrowser(req)) throw error;
  res.status(status);
  const cause = errorObject.errorCauses[0]?.errorSummary ?? errorObject.errorSummary;
  sendPage(res, formatRefusalPage(title, text ?? cause, next));
}

/** Responses depend on rules that change, and the login in the URL is private. */
function forbidCaching(res: Response): void {
  res.setHeader("Cache-Control", "no-store");
  res.setHeader("Referrer-Policy", "no-referrer");
  res.setHeader("X-Content-Type-Options", "nosniff");
}
