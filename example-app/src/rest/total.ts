import type { Request, Response } from "express";
import { getQuery } from "etiquette/query-parameters";
import { z } from "zod";
import type { Total } from "../store/lists/count.js";
import { assertOneOf } from "./body.js";
import { plainParameters, type QueryReader } from "./query.js";

/** The field of a response that tells how many records a list has. */
export const TOTAL_FIELD = "X-Total-Count";

/** The most that are counted. */
export const MAX_TOTAL = 10_000;

const EXPOSED = "Access-Control-Expose-Headers";

const CHOICES = ["true", "false"] as const;

/** The parameter of {@link readTotal}. */
export const TOTAL: QueryReader = plainParameters({
  total: {
    shape: z.enum(CHOICES).meta({ default: "false" }),
    description: `Whether the field \`${TOTAL_FIELD}\` tells how many elements the list has on all its pages: \`4900\`, or \`${MAX_TOTAL}+\` if there are more.`,
  },
});

/** @throws {ApiError} E0000001 when `total` is neither true nor false */
export function readTotal(req: Request): boolean {
  const text = getQuery(req).get("total");
  if (text === undefined || text === "") return false;
  assertOneOf("total", text, CHOICES);
  return text === "true";
}

/** `4900`; or `10000+` when there may be more. Pages of trusted origins may read it, too. */
export function setTotal(res: Response, { count, isLeast }: Total): void {
  res.set(TOTAL_FIELD, `${count}${isLeast ? "+" : ""}`);
  if (res.hasHeader(EXPOSED)) res.append(EXPOSED, TOTAL_FIELD);
}
