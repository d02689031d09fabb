import * as etiquette from "etiquette";

/** A factory as the conformance suite sees it. */
export interface Factory {
  /** The name it is exported under. */
  name: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each factory has its own options
  factory: (options: any) => unknown;
  /** The options that it can't do without. */
  required?: Record<string, unknown>;
  /** The name of what it returns, when that is not `<name>Middleware`. */
  handler?: string;
}

/** Every factory, by the name of its file. */
export const FACTORIES: Readonly<Record<string, Factory>> = {
  "error-formatter": { name: "errorFormatter", factory: etiquette.errorFormatter },
  "method-not-allowed": { name: "methodNotAllowed", factory: etiquette.methodNotAllowed },
  "not-found": { name: "notFound", factory: etiquette.notFound },
  "request-id": { name: "requestId", factory: etiquette.requestId },
};
