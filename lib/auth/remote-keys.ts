import type * as Jose from "jose";
import { parseJson } from "../json/index.js";

/** Fetched keys are used for this long. */
const MAX_AGE_MS = 600_000;

/** Keys that are younger are not fetched again for a key id that is not among them. */
const COOLDOWN_MS = 30_000;

/** The pause after a failed fetch; each further failure doubles it. */
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/** For a whole fetch, so that a server that sends a byte at a time doesn't hold it. */
const TIMEOUT_MS = 5_000;

/** In bytes, decompressed. A hundred keys, each with a chain of three certificates, have half of it. */
const MAX_LENGTH = 1_048_576;

type LocalKeys = ReturnType<typeof Jose.createLocalJWKSet>;
type Find = (...of: Parameters<LocalKeys>) => ReturnType<LocalKeys>;

/**
 * The keys at `url`, for `jwtVerify`. The number of fetches does not depend on what tokens say: fetched keys are used for
 * ten minutes, an unknown key id fetches them again after thirty seconds at the earliest, and after a failure nothing is
 * fetched for one second, then two, and so on up to a minute.
 *
 * @param now in milliseconds
 */
export function remoteKeys(
  url: string,
  { createLocalJWKSet }: Pick<typeof Jose, "createLocalJWKSet">,
  now: () => number,
): Find {
  let known: { readonly find: Find; readonly at: number } | undefined;
  let failed: { readonly cause: unknown; readonly count: number; readonly until: number } | undefined;
  let running: ReturnType<typeof load> | undefined;

  return async function findKey(header, token) {
    const current = known && now() < known.at + MAX_AGE_MS ? known : await refresh();
    try {
      return await current.find(header, token);
    } catch (error) {
      const isUnknown = (error as { code?: unknown }).code === "ERR_JWKS_NO_MATCHING_KEY";
      if (!isUnknown || now() < current.at + COOLDOWN_MS) throw error;
      return (await refresh()).find(header, token);
    }
  };

  /** Callers at the same time share one fetch. */
  async function refresh() {
    if (failed && now() < failed.until) {
      throw new Error(`The keys at ${url} are not fetched again so soon after a failure`, { cause: failed.cause });
    }
    running ??= load().finally(() => (running = undefined));
    return running;
  }

  async function load() {
    try {
      const find = createLocalJWKSet(await fetchKeySet(url));
      failed = undefined;
      known = { find, at: now() };
      return known;
    } catch (cause) {
      const count = (failed?.count ?? 0) + 1;
      failed = { cause, count, until: now() + Math.min(MIN_PAUSE_MS * 2 ** (count - 1), MAX_PAUSE_MS) };
      throw cause;
    }
  }
}

/** Whatever JSON there is; `createLocalJWKSet` checks its shape. Follows no redirects. */
async function fetchKeySet(url: string): Promise<Jose.JSONWebKeySet> {
  const response = await fetch(url, {
    redirect: "manual",
    headers: { Accept: "application/json, application/jwk-set+json" },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`The response of ${url} must be 200, not ${response.status}`);
  }
  return parseJson(await readText(url, response)) as Jose.JSONWebKeySet;
}

async function readText(url: string, { body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array> | Uint8Array[]) {
    length += chunk.length;
    if (length > MAX_LENGTH) throw new Error(`The response of ${url} is longer than ${MAX_LENGTH} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
