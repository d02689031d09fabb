import { OutgoingMessage, type ServerResponse, validateHeaderName, validateHeaderValue } from "node:http";
import { isOriginal } from "./originals.js";

/** More than the names of headers in any program. */
const MAX_NAMES = 128;

const MAX_NAME_LENGTH = 64;

/** What Node refuses in a value, also where it is lenient. */
const INVALID = /[^\t\x20-\x7e\x80-\xff]/;

/** Where Node 20 to 26 keep the headers of a response: each lower-case name with the name and value as they were given. */
type Headers = Record<string, [name: string, value: unknown]>;

/** Makes objects that inherit nothing, as Node 26.12 does: V8 reads and writes them faster than those of `Object.create(null)`. */
const NewHeaders = function NewHeaders() {
  // what `new` makes is all
} as unknown as new () => Headers;
NewHeaders.prototype = Object.create(null) as object;

type SetHeader = (this: ServerResponse, name: string, value: unknown) => ServerResponse;

/** A response, with the properties of Node that this file alone reads. */
type Store = ServerResponse & { _header?: string | null } & Record<symbol, Headers | null>;

/** Whether Node keeps headers as it is known to, with its own `setHeader`. */
const HEADERS_KEY = findHeadersKey();

const { setHeader: NODES, getHeader: NODES_GET } = OutgoingMessage.prototype as unknown as {
  setHeader: SetHeader;
  getHeader: OutgoingMessage["getHeader"];
};

/** A `setHeader` made here has a function that tells whether something was put between it and Node's since then. */
const WAS_REPLACED: unique symbol = Symbol("etiquette.wasReplaced");

type FastSetHeader = SetHeader & { readonly [WAS_REPLACED]?: () => boolean };

/**
 * Create a `setHeader` that checks each name once, and not once for each response. Everything but a string as the value of
 * a known name is left to Node.
 *
 * @param parent the prototype that it is put in front of
 * @returns `undefined` in a version of Node that keeps headers in another way, or when `setHeader` was replaced
 */
export function createHeaderStore(parent: ServerResponse): SetHeader | undefined {
  if (HEADERS_KEY === undefined || wasReplaced()) return undefined;
  const headersKey = HEADERS_KEY;
  const lowerCase = new Map<string, string>();

  function setHeader(this: ServerResponse, name: string, value: unknown): ServerResponse {
    const store = this as Store;
    const known = typeof value === "string" ? lowerCase.get(name) : undefined;
    if (known === undefined || store._header !== null || INVALID.test(value as string) || wasReplaced()) {
      parent.setHeader.call(this, name, value as string); // throws when the name is invalid
      if (lowerCase.size < MAX_NAMES && name.length <= MAX_NAME_LENGTH) lowerCase.set(name, name.toLowerCase());
      return this;
    }
    const headers = (store[headersKey] ??= new NewHeaders());
    headers[known] = [name, value];
    return this;
  }
  return Object.assign(setHeader, { [WAS_REPLACED]: wasReplaced });

  function wasReplaced(): boolean {
    return (parent as { setHeader: unknown }).setHeader !== NODES;
  }
}

/**
 * Create a function that sets the header `name`, which is checked here and not for each response.
 *
 * @returns a function whose `value` must be valid in a field: its caller has checked it
 * @throws {TypeError} when `name` is not the name of a field
 */
export function headerWriter(name: string): (res: ServerResponse, value: string) => void {
  validateHeaderName(name);
  const lowerCase = name.toLowerCase();

  return function writeHeader(res, value) {
    const headers = directHeaders(res);
    if (headers === undefined) res.setHeader(name, value);
    else headers[lowerCase] = [name, value]; // anew each time, because `appendHeader` changes it
  };
}

/** The headers of `res`, where Node's `setHeader` or the one made here would put them; `undefined` where another one does. */
export function directHeaders(res: ServerResponse): Headers | undefined {
  const store = res as Store;
  const { setHeader } = store as unknown as { setHeader: FastSetHeader };
  const isNodes = setHeader === NODES || setHeader[WAS_REPLACED]?.() === false;
  if (HEADERS_KEY === undefined || !isNodes || store._header !== null) return undefined;
  return (store[HEADERS_KEY] ??= new NewHeaders());
}

/**
 * The value of the header `lowerCase` of `res`, as `getHeader` returns it. That checks the name, lowers it and makes an array
 * of its arguments each time.
 */
export function readHeader(res: ServerResponse, lowerCase: string): unknown {
  const headers = res.getHeader === NODES_GET ? directHeaders(res) : undefined;
  return headers === undefined ? res.getHeader(lowerCase) : headers[lowerCase]?.[1];
}

/** Whether Node accepts `value` in a field, as text. */
export function isFieldText(value: string): boolean {
  return !INVALID.test(value);
}

/**
 * Create a function that sets the header `name` to `value`. Both are checked here, and not for each response.
 *
 * @throws {TypeError} when one of them is not valid in a field
 */
export function constantHeader(name: string, value: string): (res: ServerResponse) => void {
  const write = headerWriter(name);
  validateHeaderValue(name, value);
  return (res) => {
    write(res, value);
  };
}

/** The symbol of the property in which `setHeader` keeps the headers, if it keeps them as expected. */
function findHeadersKey(): symbol | undefined {
  const message = new OutgoingMessage() as unknown as Store;
  const { setHeader } = message as unknown as { setHeader: SetHeader };
  const key = Object.getOwnPropertySymbols(message).find((symbol) => symbol.description === "kOutHeaders");
  if (!isOriginal("setHeader", setHeader)) return undefined;
  if (key === undefined || message._header !== null || message[key] !== null) return undefined;
  setHeader.call(message, "X-Name", "value");
  const headers = message[key] as Headers | null;
  const isExpected =
    headers !== null && inheritsNothing(headers) && JSON.stringify(headers) === '{"x-name":["X-Name","value"]}';
  return isExpected ? key : undefined;
}

/** Before Node 26.12 the object has no prototype; since then it has an empty one. */
function inheritsNothing(headers: object): boolean {
  const prototype = Object.getPrototypeOf(headers) as object | null;
  return prototype === null || (Object.getPrototypeOf(prototype) === null && Reflect.ownKeys(prototype).length === 0);
}
