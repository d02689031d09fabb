import { AsyncLocalStorage } from "node:async_hooks";
import type { OutgoingHttpHeader, ServerResponse } from "node:http";

/** The response whose error is being sent, in the calls that lead to it. It tells them from those of the handler. */
const sending = new AsyncLocalStorage<ServerResponse>();

/** What sends a header or a body. */
const METHODS = ["writeHead", "write", "end", "flushHeaders"] as const;

type Call = (...args: unknown[]) => unknown;

/**
 * Ask `check` before anything of the response is sent. For the error that it returns, the response gets the header fields
 * that it has now, `next` is called with the error, and nothing is sent of what the handler sends, now and later: neither
 * its header fields nor its body. The handler is not told, so it can't fail: streams, callbacks and async functions go on.
 *
 * @param check gets the status that would be sent
 */
export function refuseResponse(
  res: ServerResponse,
  check: (status: number) => Error | undefined,
  next: (error: Error) => void,
): void {
  const fields = Object.entries(res.getHeaders());
  const methods = res as unknown as Record<(typeof METHODS)[number], Call>;
  let state: "open" | "passed" | "refused" = "open";

  for (const name of METHODS) {
    const original = methods[name];
    methods[name] = (...args) => {
      const status = name === "writeHead" && typeof args[0] === "number" ? args[0] : res.statusCode;
      if (passes(status)) return Reflect.apply(original, res, args);
      const done = args.find((value): value is () => void => typeof value === "function");
      if (done) process.nextTick(done);
      return name === "write" ? true : res;
    };
  }

  function passes(status: number): boolean {
    if (state === "refused") return sending.getStore() === res;
    const error = state === "open" && !res.headersSent ? check(status) : undefined;
    state = error ? "refused" : "passed";
    if (error === undefined) return true;
    resetHead(res, fields);
    sending.run(res, next, error);
    return false;
  }
}

function resetHead(res: ServerResponse, fields: readonly (readonly [string, OutgoingHttpHeader | undefined])[]): void {
  for (const name of res.getHeaderNames()) res.removeHeader(name);
  for (const [name, value] of fields) if (value !== undefined) res.setHeader(name, value);
  res.statusCode = 500;
  res.statusMessage = ""; // Node writes the standard phrase
}
