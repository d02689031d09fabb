import { isObject } from "../json/index.js";
import { causeInBody, cutName, fieldsOf, MAX_ISSUES, sentence } from "./issues.js";
import type { MappedError } from "./map-error.js";

/**
 * Errors of libraries as errors of the API, for `errorFormatter({ map })`. Each function knows its errors by their shape, so
 * no library is imported, and returns `undefined` for all others. Nothing that a client may not see is sent: no SQL, no value
 * of a row, no name of a constraint.
 *
 * @example
 * app.use(errorFormatter({ map: [zodErrors, multerErrors, pgErrors] }));
 */
export type LibraryErrors = (error: unknown) => MappedError | undefined;

const TAKEN = "another object has this value.";
const IN_USE = "An object that this one refers to doesn't exist, or is in use.";

/** The client may send the request again. */
const AGAIN: MappedError = { code: "E0009011", headers: { "Retry-After": "1" } };

type Shape = Readonly<Record<string, unknown>>;

/**
 * A `ZodError` of zod 3 or 4, as a 400 with a cause and a pointer for each issue. Use `parse()` for what clients send only:
 * an error about data of your own would be a 400 too.
 */
export const zodErrors: LibraryErrors = (error) => {
  if (!isObject(error) || !/^\$?ZodError$/.test(textOf(error["name"])) || !Array.isArray(error["issues"]))
    return undefined;
  const issues = (error["issues"] as unknown[]).slice(0, MAX_ISSUES).filter(isObject);
  const causes = issues.map(({ path, message }) =>
    causeInBody({ message: textOf(message), path: Array.isArray(path) ? path : [] }),
  );
  return { code: "E0000001", type: "request.invalid", detail: fieldsOf(causes), causes };
};

/** What busboy, which reads the form for multer, says of a malformed one. */
const MALFORMED_FORMS: ReadonlySet<string> = new Set([
  "Multipart: Boundary not found",
  "Malformed part header",
  "Unexpected end of form",
  "Request aborted",
  "Request closed",
]);

/** A `MulterError`: 413 for a file that is too large, 400 for another limit and for a malformed form. */
export const multerErrors: LibraryErrors = (error) => {
  if (!(error instanceof Error)) return undefined;
  const { name, code, field } = error as Error & { code?: unknown; field?: unknown };
  if (name === "MulterError" && /^(?:LIMIT|MISSING)_/.test(textOf(code))) {
    const place = cutName(textOf(field)) || "body";
    const causes = [`${place}: ${sentence(error.message)}`];
    return code === "LIMIT_FILE_SIZE" ? { code: "E0009003", causes } : { code: "E0000001", detail: place, causes };
  }
  return MALFORMED_FORMS.has(error.message) ? { code: "E0000003", causes: [sentence(error.message)] } : undefined;
};

/** The errors of Prisma that a later request may not meet: no connection, a full pool, a conflict of transactions. */
const PASSING_PRISMA: ReadonlySet<unknown> = new Set(["P1001", "P1002", "P1008", "P1017", "P2024", "P2034"]);

/** A known error of Prisma: 409 for a constraint, 404 for a missing record, 503 for what may be tried again. */
export const prismaErrors: LibraryErrors = (error) => {
  if (!isObject(error)) return undefined;
  const { name, code = error["errorCode"], meta } = error;
  if (name !== "PrismaClientKnownRequestError" && name !== "PrismaClientInitializationError") return undefined;
  const facts: Shape = isObject(meta) ? meta : {};
  if (PASSING_PRISMA.has(code)) return AGAIN;
  if (code === "P2002") return taken(namesOf(facts["target"] ?? adapterFields(facts["driverAdapterError"])));
  if (code === "P2003") return { code: "E0000195", causes: [IN_USE] };
  if (code !== "P2025") return undefined;
  const model = cutName(textOf(facts["modelName"])) || "record";
  return { code: "E0000007", detail: `Resource not found (${model})` };
};

/** Classes and codes of SQLSTATE that a later request may not meet: conflicts of transactions, locks, no connection. */
const PASSING_SQLSTATE_REGEXP = /^(?:40001|40P01|55P03|53300|57P0[123]|08...)$/;

/**
 * An error of PostgreSQL, of `pg` or `postgres`: 409 for a constraint, 503 for what may be tried again. Of a constraint the
 * client learns the columns only.
 */
export const pgErrors: LibraryErrors = (error) => {
  if (!isObject(error) || typeof error["severity"] !== "string") return undefined;
  const code = textOf(error["code"]);
  if (PASSING_SQLSTATE_REGEXP.test(code)) return AGAIN;
  if (code === "23505") return taken(columnsOf(textOf(error["detail"])));
  if (code === "23503") return { code: "E0000195", causes: [IN_USE] };
  if (code === "23P01") return { code: "E0000195", causes: ["Another object excludes this one."] };
  return undefined;
};

/** The result codes of SQLite, by name (`better-sqlite3`, `libsql`) and by number (`node:sqlite`). */
const SQLITE = {
  taken: new Set<unknown>(["SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY", 2_067, 1_555]),
  inUse: new Set<unknown>(["SQLITE_CONSTRAINT_FOREIGNKEY", 787]),
  passing: new Set<unknown>(["SQLITE_BUSY", "SQLITE_LOCKED", 5, 6]),
};

/** An error of SQLite: 409 for a constraint, 503 for a database that is locked. */
export const sqliteErrors: LibraryErrors = (error) => {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode } = error as Error & { code?: unknown; errcode?: unknown };
  const result = code === "ERR_SQLITE_ERROR" ? errcode : textOf(code);
  if (SQLITE.passing.has(result)) return AGAIN;
  if (SQLITE.inUse.has(result)) return { code: "E0000195", causes: [IN_USE] };
  if (!SQLITE.taken.has(result)) return undefined;
  const [, columns = ""] = /constraint failed: (.{1,500})$/.exec(error.message) ?? [];
  return taken(columns.split(", ").map((column) => column.replace(/^.*\./, "")));
};

/** The codes of jose for a token that is not valid, and for keys that can't be had. */
const JOSE_REGEXP = /^ERR_(?:JW[EST]|JOSE_ALG|JOSE_NOT|JWKS_NO|JWKS_MULTIPLE)_/;
const KEYS_REGEXP = /^ERR_(?:JWKS_TIMEOUT|JWKS_INVALID|JOSE_GENERIC)$/;
const JSONWEBTOKEN: ReadonlySet<unknown> = new Set(["JsonWebTokenError", "NotBeforeError", "TokenExpiredError"]);

/** An error of jose or jsonwebtoken about a token: 401, without the reason; 503 when the keys can't be had. */
export const jwtErrors: LibraryErrors = (error) => {
  if (!(error instanceof Error)) return undefined;
  const code = textOf((error as Error & { code?: unknown }).code);
  if (KEYS_REGEXP.test(code)) return { code: "E0009011" };
  if (!JOSE_REGEXP.test(code) && !JSONWEBTOKEN.has(error.name)) return undefined;
  const expired = code === "ERR_JWT_EXPIRED" || error.name === "TokenExpiredError";
  return {
    code: "E0000011",
    type: "credentials.invalid",
    causes: [expired ? "The token is expired." : "The token is not valid."],
    headers: { "WWW-Authenticate": 'Bearer error="invalid_token"' }, // RFC 6750 section 3
  };
};

function taken(fields: readonly string[]): MappedError {
  const field = cutName(fields.filter((name) => name !== "").join(", ")) || "body";
  return { code: "E0000195", detail: field, causes: [`${field}: ${TAKEN}`] };
}

/** `Key (org, login)=(acme, joe) already exists.` has the columns, then the values. */
function columnsOf(detail: string): readonly string[] {
  const [, columns = ""] = /^Key \(([\w", ]{1,500})\)=/.exec(detail) ?? [];
  return columns.replaceAll('"', "").split(", ");
}

function adapterFields(adapterError: unknown): unknown {
  const cause = isObject(adapterError) ? adapterError["cause"] : undefined;
  const constraint = isObject(cause) ? cause["constraint"] : undefined;
  return isObject(constraint) ? constraint["fields"] : undefined;
}

/** An array of columns; a text is the name of an index. */
function namesOf(target: unknown): readonly string[] {
  return Array.isArray(target) ? target.filter((name) => typeof name === "string") : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
