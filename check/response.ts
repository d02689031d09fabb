import { fieldLines } from "../lib/http/index.js";
import { parseJson } from "../lib/json/index.js";
import { NotApplicable } from "./verdict.js";
import type { ReceivedResponse } from "./response-parser.js";

/** A response, as checks read it. */
export class Response {
  readonly status: number;
  readonly version: string;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** Whether the body is longer than what was read of it. */
  readonly truncated: boolean;

  /** Whether the server went on to respond on the same connection. */
  readonly followed: boolean;

  constructor(received: ReceivedResponse & { readonly followed: boolean }) {
    ({
      status: this.status,
      version: this.version,
      rawHeaders: this.rawHeaders,
      body: this.body,
      truncated: this.truncated,
      followed: this.followed,
    } = received);
  }

  /** Whether the status is 2xx. */
  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** The values of all lines of a field. */
  lines(name: string): string[] {
    return fieldLines(this.rawHeaders, name);
  }

  /** All lines of a field as one value; `undefined` without any. */
  field(name: string): string | undefined {
    const lines = this.lines(name);
    return lines.length === 0 ? undefined : lines.join(", ");
  }

  /** The names of all fields, in lower case. */
  get names(): string[] {
    return this.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  }

  /** The members of a list field, in lower case. */
  members(name: string): string[] {
    return (this.field(name) ?? "")
      .split(",")
      .map((member) => member.trim().toLowerCase())
      .filter((member) => member !== "");
  }

  get text(): string {
    return this.body.toString("utf8");
  }

  /**
   * The body as JSON; `undefined` when it is none.
   *
   * @throws {NotApplicable} when only its beginning was read
   */
  json(): unknown {
    if (this.truncated) throw new NotApplicable(`The response is longer than ${this.body.length} bytes.`);
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
