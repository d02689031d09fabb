import { STATUS_CODES } from "node:http";
import { ERROR_CATALOGUE } from "etiquette/error-catalogue";
import { SERVER_CATALOGUE } from "../../model/api-error.js";
import { referTo, type Schema } from "./schemas.js";

/** The error object (rule E1) and the responses with it, one for each status, for the description of the API. */

const ENTRIES = Object.entries({ ...ERROR_CATALOGUE, ...SERVER_CATALOGUE });

const STATUSES = [...new Set(ENTRIES.map(([, { status }]) => status))];

/** Fields that errors with this status have. */
const FIELDS: Readonly<Record<number, string>> = { 401: "WWW-Authenticate", 429: "Retry-After", 503: "Retry-After" };

export const ERROR_SCHEMA: Schema = {
  type: "object",
  required: ["errorCode", "errorSummary", "errorLink", "errorId", "errorCauses"],
  properties: {
    errorCode: { type: "string", enum: ENTRIES.map(([code]) => code) },
    errorSummary: { type: "string", description: "For people." },
    errorLink: { type: "string", description: "The same as errorCode." },
    errorId: { type: "string", description: "The id of the request." },
    errorCauses: {
      type: "array",
      description: "One for each field or reason.",
      items: { type: "object", required: ["errorSummary"], properties: { errorSummary: { type: "string" } } },
    },
  },
};

/** `#/components/responses/NotFound` */
export function referToError(status: number): { $ref: string } {
  return { $ref: `#/components/responses/${nameOf(status)}` };
}

/** The error response of each status. */
export function describeErrors(refer: (...fields: string[]) => object): Record<string, object> {
  return Object.fromEntries(
    STATUSES.map((status) => {
      const entries = ENTRIES.filter(([, entry]) => entry.status === status);
      const codes = entries.map(([code]) => code);
      const lines = entries.map(([code, { summary }]) => `- \`${code}\`: ${summary.replace(/:? ?'?\{0\}'?/, "")}`);
      const schema = { ...referTo("Error"), properties: { errorCode: { enum: codes } } };
      const description = `${STATUS_CODES[status]}\n\n${lines.join("\n")}`;
      const field = FIELDS[status];
      return [
        nameOf(status),
        {
          description,
          headers: refer(...(field === undefined ? [] : [field])),
          content: { "application/json": { schema } },
        },
      ];
    }),
  );
}

function nameOf(status: number): string {
  return String(STATUS_CODES[status]).replace(/[^A-Za-z]/g, "");
}
