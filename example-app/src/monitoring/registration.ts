import { createRequire } from "node:module";
import type * as PromClient from "prom-client";

/** Where new metrics belong. */
export interface Registration {
  readonly client: typeof PromClient;
  readonly registers: [PromClient.Registry];
}

/** Loaded only where metrics are wanted: most servers have no admin port. */
export function loadPromClient(): typeof PromClient {
  return createRequire(__filename)("prom-client") as typeof PromClient;
}
