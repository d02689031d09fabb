import { fieldLines } from "../lib/http/index.js";
import { parseJson } from "../lib/json/index.js";
import type { ExchangeResult } from "./connection.js";
import { NotApplicable } from "./verdict.js";

/** A response, as one check reads it. It remembers what was read, which a report shows. */
export class Response {
  /** The names of the fields that were read, by those in lower case. */
  readonly reads: Map<string, string> = new Map<string, string>();
  isBodyRead = false;

  constructor(readonly received: ExchangeResult) {}

  get status(): number {
    return this.received.status;
  }

  /** Whether the server went on to respond on the same connection. */
  get followed(): boolean {
    return this.received.followed;
  }

  /** Whether the status is 2xx. */
  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  get isEmpty(): boolean {
    return this.received.body.length === 0;
  }

  /** The values of all lines of a field. */
  lines(name: string): string[] {
    this.reads.set(name.toLowerCase(), name);
    return fieldLines(this.received.rawHeaders, name);
  }

  /** All lines of a field as one value; `undefined` without any. */
  field(name: string): string | undefined {
    const lines = this.lines(name);
    return lines.length === 0 ? undefined : lines.join(", ");
  }

  /** The names of all fields, in lower case. */
  get names(): string[] {
    return this.received.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  }

  /** The members of a list field, in lower case. */
  members(name: string): string[] {
    return (this.field(name) ?? "")
      .split(",")
      .map((member) => member.trim().toLowerCase())
      .filter((member) => member !== "");
  }

  get text(): string {
    this.isBodyRead = true;
    return this.received.body.toString("utf8");
  }

  /**
   * The body as JSON; `undefined` when it is none.
   *
   * @throws {NotApplicable} when only its beginning was read
   */
  json(): unknown {
    const { truncated, body } = this.received;
    if (truncated) throw new NotApplicable(`The response is longer than ${body.length} bytes.`);
    try {
      return parseJson(this.text);
    } catch {
      return undefined;
    }
  }
}

/** What a check says of a status that is not among those expected; `undefined` of one that is. */
export function statusFault({ status }: Response, expected: readonly number[], sent: string): string | undefined {
  if (expected.includes(status)) return undefined;
  return `${sent}: the status is ${status}, expected ${expected.join(" or ")}.`;
}
