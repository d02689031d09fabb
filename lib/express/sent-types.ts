import type { Response } from "express";
import { memoize } from "../text/index.js";
import { isFieldText } from "./header-store.js";

/** What Express makes of a content type, remembered. It parses and formats the type anew in each response. */
export interface SentTypes {
  /** The type that `res.set("Content-Type", type)` stores; `undefined` when it, or Node, throws. */
  readonly stored: (type: string) => string | undefined;
  /** The type that `res.send()` passes to `res.set()` when the response has `type`; `undefined` when it, or Node, throws. */
  readonly sent: (type: string) => string | undefined;
}

/** Express's own functions find each result, on an object that has only what they read. */
export function createSentTypes({ set, send }: Pick<Response, "set" | "send">): SentTypes {
  return {
    stored: memoize((type) => {
      let stored: unknown;
      const response = { setHeader: (_name: string, value: unknown) => (stored = value) };
      attempt(() => set.call(response as unknown as Response, "Content-Type", type));
      return typeof stored === "string" && isFieldText(stored) ? stored : undefined;
    }),
    sent: memoize((type) => {
      let sent: unknown;
      const response = {
        app: { get: () => undefined },
        req: { method: "HEAD", fresh: false },
        statusCode: 200,
        get: (name: string) => (name === "Content-Type" ? type : undefined),
        set: (name: string, value: unknown) => (sent = name === "Content-Type" ? value : sent),
        end: () => undefined,
      };
      attempt(() => send.call(response as unknown as Response, "text"));
      return typeof sent === "string" && isFieldText(sent) ? sent : undefined;
    }),
  };
}

function attempt(call: () => unknown): void {
  try {
    call();
  } catch {
    // it throws again when the application calls it
  }
}
