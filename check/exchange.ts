import type { Response } from "./response.js";

/** Of each body in a report: enough for an error object. */
const MAX_SHOWN_LENGTH = 2048;

/** With what a secret at the end of the shown part may take more. */
const MAX_READ_LENGTH = 16_384;

/** One request and what came back, in latin1 and UTF-8: the lines that matter to the check. */
export interface Exchange {
  /** The request line, the fields that the check set, and the body. */
  readonly request: string;
  /** The status line, the fields that the check read, and the body if it read that or if the response is a failure. */
  readonly response?: string;
  /** Why there is no response. */
  readonly error?: string;
}

/** A request while its check runs. What the check reads of the response is known afterwards. */
export interface Sent {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  /** Those of the check itself, by their names. */
  readonly own: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  readonly response?: Response;
  readonly error?: string;
}

type Redact = (text: string) => string;

/** What a report shows of a request, redacted. */
export function formatExchange(sent: Sent, redact: Redact): Exchange {
  const { method, target, version, own, body, response, error } = sent;
  const fields = own.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return {
    request: `${redact(`${method} ${target} ${version}\r\n${fields}`)}\r\n${formatBody(body, false, redact)}`,
    ...(response && { response: formatResponse(response, redact) }),
    ...(error !== undefined && { error: redact(error) }),
  };
}

function formatResponse({ received, names, reads, isBodyRead, status }: Response, redact: Redact): string {
  const [statusLine = "", ...lines] = received.head.split("\r\n");
  const read = lines.filter((line) => reads.has(line.slice(0, line.indexOf(":")).trim().toLowerCase()));
  const missing = [...reads].filter(([lower]) => !names.includes(lower)).map(([, name]) => `(no ${name})`);
  const head = redact([statusLine, ...read, ...missing, ""].join("\r\n"));
  if (!isBodyRead && status < 400) return head;
  return `${head}\r\n${formatBody(received.body, received.truncated, redact)}`;
}

/** Redacted before it is cut, lest a part of a secret stays. */
function formatBody(body: Buffer, truncated: boolean, redact: Redact): string {
  const text = redact(body.toString("utf8", 0, MAX_READ_LENGTH));
  return truncated || text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}
