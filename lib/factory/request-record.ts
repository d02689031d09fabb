/** A registered symbol: two copies of the package share its property, and no other package uses it. */
const KEY = Symbol.for("etiquette");

interface SlotHolder {
  [KEY]: RequestRecord | undefined;
}

/**
 * The values of the middlewares that most requests pass, so that the records of all requests have one hidden class: a
 * property that is added later costs more than all of these.
 */
class RequestRecord {
  readonly [name: string]: unknown;
  /** The request target whose query was read last, and what was read. */
  target: string | undefined = undefined;
  query: unknown = undefined;
  "requestId()" = undefined;
  "requestContext()" = undefined;
  "queryParameters()" = undefined;
  "contentType()" = undefined;
  "authenticate()" = undefined;
  "filter()" = undefined;
  "pagination()" = undefined;
  "weakEtag()" = undefined;
}

/** What is known of `req`. Slots have their values in it. */
export function recordOf(req: object): RequestRecord {
  return ((req as SlotHolder)[KEY] ??= new RequestRecord());
}

/** The same; `undefined` when no middleware has stored anything. */
export function knownRecordOf(req: object): RequestRecord | undefined {
  return (req as SlotHolder)[KEY];
}
