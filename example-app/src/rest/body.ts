import type { RequestHandler } from "express";
import type { z } from "zod";
import { apiError, type ApiError } from "../model/api-error.js";
import { excerpt, explain, formatPath, type Path } from "../model/faults.js";

/** The number of causes that an error lists. */
const MAX_CAUSES = 20;

/** The most members of an object: twice as many as the largest of the API can have, so that unknown ones are tolerated. */
const MAX_OBJECT_MEMBERS = 200;

/** Neither names nor logins contain them, and PostgreSQL refuses NUL. */
const CONTROL_REGEXP = /\p{Cc}/u;

/**
 * The values of a record in a body. Leaves out members that `shape` does not know (rule N3), the record's own id, and
 * members that are null, which mean the same as absent ones.
 *
 * @throws {ApiError} E0000003 when the body is not an object; E0000001 with a cause for each wrong field, at most
 *   {@link MAX_CAUSES}
 */
export function parseBody<T>(shape: z.ZodType<T>, body: unknown): T {
  if (!isObject(body)) {
    throw apiError("E0000003", { type: "body.malformed", causes: ["The body must be a JSON object."] });
  }
  const values = withoutNulls(body) as Record<string, unknown>;
  delete values["id"];
  let { data, error } = shape.safeParse(values, { error: explain });
  if (error?.issues.some(({ code }) => code === "unrecognized_keys")) {
    for (const issue of error.issues) {
      if (issue.code === "unrecognized_keys") removeKeys(values, issue.path as Path, issue.keys);
    }
    ({ data, error } = shape.safeParse(values, { error: explain }));
  }
  if (error) throw invalid(error.issues.map(({ path, message }) => [path as Path, message]));
  return data as T;
}

/** Refuses a body with an object, at whatever depth, that has more than {@link MAX_OBJECT_MEMBERS} members. */
export const limitObjects: RequestHandler = function limitObjectsMiddleware(req, _res, next) {
  const found = findLargeObject(req.body);
  if (!found) {
    next();
    return;
  }
  const [path, members] = found;
  next(invalid([[path, `has ${members} members; an object has at most ${MAX_OBJECT_MEMBERS}`]]));
};

function findLargeObject(value: unknown): [path: Path, members: number] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const children = Array.isArray(value) ? [...(value as unknown[]).entries()] : Object.entries(value);
  if (!Array.isArray(value) && children.length > MAX_OBJECT_MEMBERS) return [[], children.length];
  for (const [key, child] of children) {
    const found = findLargeObject(child);
    if (found) return [[key, ...found[0]], found[1]];
  }
  return undefined;
}

/** Where a value is wrong, and why. */
export type BodyFault = readonly [path: Path | string, message: string];

/** An E0000001 with a cause for each fault: `profile.login: is required`. */
export function invalid(faults: readonly BodyFault[], max = MAX_CAUSES): ApiError {
  const causes = faults.slice(0, max).map(([path, message]) => {
    const place = typeof path === "string" ? path : formatPath(path);
    return place === "" ? message : `${place}: ${message}`;
  });
  if (faults.length > max) causes.push("There are more faults than these.");
  const [[first] = [""]] = faults;
  const detail = (typeof first === "string" ? first : formatPath(first)) || "body";
  return apiError("E0000001", { type: "body.invalid", detail, causes });
}

/** @throws {ApiError} E0000001 when `value`, that of the query parameter `name`, is none of `choices` */
export function assertOneOf<T extends string>(name: string, value: string, choices: readonly T[]): asserts value is T {
  if ((choices as readonly string[]).includes(value)) return;
  const list = choices.length > 2 ? `one of ${choices.join(", ")}` : choices.join(" or ");
  throw invalid([[name, `must be ${list}, not ${excerpt(value)}`]]);
}

/** @throws {ApiError} E0000001 when `text`, that of the query parameter `name`, is too long or has a control character */
export function assertText(name: string, text: string, maxLength: number): void {
  if (text.length > maxLength) {
    throw invalid([[name, `has ${text.length} characters; at most ${maxLength} are allowed`]]);
  }
  const offset = text.search(CONTROL_REGEXP);
  if (offset !== -1) throw invalid([[name, `has a control character at offset ${offset}`]]);
}

/** Whether `value` is a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A copy of `value`, in which no object has a member that is null. */
export function withoutNulls(value: unknown): unknown {
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(entries.map(([key, member]) => [key, withoutNulls(member)]));
}

function removeKeys(values: object, path: Path, keys: readonly string[]): void {
  let place = values as Record<string | number, unknown>;
  for (const step of path) place = place[step] as typeof place;
  for (const key of keys) Reflect.deleteProperty(place, key);
}
