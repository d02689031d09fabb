import { OutgoingMessage, type ServerResponse } from "node:http";
import { isOriginal } from "./originals.js";

/** More than the names of headers in any program. */
const MAX_NAMES = 128;

const MAX_NAME_LENGTH = 64;

/** What Node refuses in a value, also where it is lenient. */
const INVALID = /[^\t\x20-\x7e\x80-\xff]/;

/** Where Node 20 to 26 keep the headers of a response: each lower-case name with the name and value as they were given. */
type Headers = Record<string, [name: string, value: unknown]>;

type SetHeader = (this: ServerResponse, name: string, value: unknown) => ServerResponse;

/** A response, with the properties of Node that this file alone reads. */
type Store = ServerResponse & { _header?: string | null } & Record<symbol, Headers | null>;

/**
 * Create a `setHeader` that checks each name once, and not once for each response. Everything but a string as the value of
 * a known name is left to Node.
 *
 * @param parent the prototype that it is put in front of
 * @returns `undefined` in a version of Node that keeps headers in another way, or when `setHeader` was replaced
 */
export function createHeaderStore(parent: ServerResponse): SetHeader | undefined {
  const original = (parent as { setHeader: unknown }).setHeader as SetHeader;
  const key = isOriginal("setHeader", original) ? findHeadersKey(original) : undefined;
  if (key === undefined) return undefined;
  const headersKey = key;
  const lowerCase = new Map<string, string>();

  return function setHeader(this: ServerResponse, name, value) {
    const store = this as Store;
    const known = typeof value === "string" ? lowerCase.get(name) : undefined;
    if (known === undefined || store._header !== null || INVALID.test(value as string) || wasReplaced()) {
      parent.setHeader.call(this, name, value as string); // throws when the name is invalid
      if (lowerCase.size < MAX_NAMES && name.length <= MAX_NAME_LENGTH) lowerCase.set(name, name.toLowerCase());
      return this;
    }
    const headers = (store[headersKey] ??= Object.create(null) as Headers);
    headers[known] = [name, value];
    return this;
  };

  /** Whether something was put between this function and Node's since then. */
  function wasReplaced(): boolean {
    return (parent as { setHeader: unknown }).setHeader !== original;
  }
}

/** The symbol of the property in which `setHeader` keeps the headers, if it keeps them as expected. */
function findHeadersKey(setHeader: SetHeader): symbol | undefined {
  const message = new OutgoingMessage() as unknown as Store;
  const key = Object.getOwnPropertySymbols(message).find((symbol) => symbol.description === "kOutHeaders");
  if (key === undefined || message._header !== null || message[key] !== null) return undefined;
  setHeader.call(message, "X-Name", "value");
  const headers = message[key] as Headers | null;
  const isExpected =
    headers !== null &&
    Object.getPrototypeOf(headers) === null &&
    JSON.stringify(headers) === '{"x-name":["X-Name","value"]}';
  return isExpected ? key : undefined;
}
