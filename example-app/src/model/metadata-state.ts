import { isDeepStrictEqual } from "node:util";
import type { Idp, MetadataState } from "./records.js";

/** The state for a provider that gets this `protocol`. Metadata is fetched at once when something of it changes. */
export function nextMetadataState(
  protocol: Idp["protocol"],
  before: Pick<Idp, "protocol" | "metadata"> | undefined,
  now: string,
): MetadataState | null {
  if (protocol.metadata === undefined) return null;
  if (before?.metadata && isDeepStrictEqual(before.protocol, protocol)) return before.metadata;
  return { lastRefreshed: null, lastError: null, due: now, failures: 0, validators: {} };
}
