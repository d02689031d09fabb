import type { Request } from "express";
import { formatDate, parseDate } from "etiquette/dates";
import { getQuery } from "etiquette/query-parameters";
import { apiError, type ApiError } from "../../model/api-error.js";
import { excerpt } from "../../model/faults.js";
import { invalid } from "../../rest/body.js";
import type { KnownRevisions } from "../../store/history/walk.js";

const NUMBER_REGEXP = /^\d{1,15}$/;

/** A number that is that of no revision. */
const NONE = -1;

/** The revision in the path. */
export function readPathNumber(req: Request): number {
  const text = String(req.params["revision"]);
  return NUMBER_REGEXP.test(text) ? Number(text) : NONE;
}

/** @throws {ApiError} E0000001 when the parameter is no number of a revision */
export function readNumber(req: Request, name: string): number | undefined {
  const text = getQuery(req).get(name);
  if (text === undefined || text === "") return undefined;
  if (!NUMBER_REGEXP.test(text)) throw invalid([[name, `must be the number of a revision, not ${excerpt(text)}`]]);
  return Number(text);
}

/** @throws {ApiError} E0000030 when the parameter is no date */
export function readDate(req: Request, name: string): string | undefined {
  const text = getQuery(req).get(name);
  if (text === undefined || text === "") return undefined;
  const date = parseDate(text);
  if (date) return formatDate(date);
  throw apiError("E0000030", { type: "logs.date", causes: [`${name}: is no date such as 2026-01-31T08:00:00.000Z.`] });
}

/** @throws {ApiError} E0000007 when the history doesn't know the state at a revision */
export function assertKnown(revision: number, known: KnownRevisions): void {
  if (revision < known.first || revision > known.last) throw unknownRevision(revision, known);
}

export function unknownRevision(revision: number, { first, last }: KnownRevisions): ApiError {
  const detail = `Resource not found: ${revision === NONE ? "no number" : revision} (Revision)`;
  const causes = [`The history has the states from revision ${first} to ${last}. What was before is forgotten.`];
  return apiError("E0000007", { type: "resource.unknown", detail, causes });
}
