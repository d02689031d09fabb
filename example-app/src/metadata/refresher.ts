import { isDeepStrictEqual } from "node:util";
import type { AuditEvent } from "../audit/change-events.js";
import type { Idp, MetadataState } from "../model/records.js";
import { runInSlices, type NextTurn } from "../pace/slices.js";
import type { WriteTransaction } from "../store/contract/transaction.js";
import { IDPS } from "../store/records/resource-tables.js";
import type { FileIdp } from "../model/shapes.js";
import { applyMetadata } from "./apply-metadata.js";
import { describeProvider } from "./describe-provider.js";
import { describeFailedRefresh, describeRefresh } from "./describe-refresh.js";
import { createFetch, type FetchOptions } from "./fetch-metadata.js";
import { MetadataError } from "./metadata-error.js";
import { nextRefresh } from "./next-refresh.js";

/** Where metadata is: at an address, or here. */
type MetadataSource = { readonly url: string } | { readonly text: string };

/** An identity provider as its metadata describes it. */
type DescribedIdp = Pick<FileIdp, "name" | "type" | "protocol">;

type Outcome = "changed" | "unchanged" | "failed";

export type RefreshCounts = Readonly<Record<Outcome, number>>;

/** What the host of a provider's metadata said of it. */
export interface Refresh {
  /** The provider that was asked for. */
  readonly asked: Idp;
  /** The same object as that of {@link asked} when nothing changed or the attempt failed. */
  readonly protocol: Idp["protocol"];
  readonly validators: MetadataState["validators"];
  /** Why the attempt failed. */
  readonly failure: string | undefined;
}

interface StoredRefresh {
  /** `undefined` when the provider was changed or removed meanwhile: then nothing is stored. */
  readonly idp: Idp | undefined;
  /** For the log of the org. */
  readonly events: readonly AuditEvent[];
}

export interface RefresherOptions extends FetchOptions {
  /** Between attempts that don't fail, in milliseconds. */
  interval: number;
  nextTurn?: NextTurn | undefined;
}

/** Fetches metadata of identity providers, and stores what it says. */
export interface MetadataRefresher {
  /** Never fails but for the reason of `signal`. */
  fetch(idp: Idp, signal: AbortSignal): Promise<Refresh>;
  /**
   * What metadata says of a provider that is not stored yet.
   *
   * @throws {MetadataError} with the reason in words; the reason of `signal` when that is aborted
   */
  read(source: MetadataSource, signal: AbortSignal): Promise<DescribedIdp>;
  /**
   * Must be the first in a transaction.
   *
   * @param check may throw, when the record is not as it should be
   */
  store(
    transaction: WriteTransaction,
    orgId: string,
    refresh: Refresh,
    check?: (stored: Idp | undefined) => void,
  ): Promise<StoredRefresh>;
  /** How attempts ended since the start. */
  counts(): RefreshCounts;
}

type StoreParameters = Parameters<MetadataRefresher["store"]>;

export function createRefresher({ interval, nextTurn, ...options }: Readonly<RefresherOptions>): MetadataRefresher {
  const fetchMetadata = createFetch(options);
  const counts = { changed: 0, unchanged: 0, failed: 0 };

  return {
    async fetch(idp, signal) {
      const refresh = await ask(idp, signal);
      counts[outcomeOf(refresh)]++;
      return refresh;
    },
    read,
    store,
    counts: () => counts,
  };

  async function read(source: MetadataSource, signal: AbortSignal): Promise<DescribedIdp> {
    const text = "text" in source ? source.text : ((await fetchMetadata(source.url, {}, signal))?.text ?? "");
    const { value } = await runInSlices(describeProvider(text, new Date().toISOString()), nextTurn);
    if ("text" in source) return value;
    return { ...value, protocol: { ...value.protocol, metadata: { url: source.url } } };
  }

  async function ask(asked: Idp, signal: AbortSignal): Promise<Refresh> {
    const { protocol, metadata } = asked;
    const { validators = {} } = metadata ?? {};
    try {
      const fetched = await fetchMetadata(protocol.metadata?.url ?? "", validators, signal);
      if (!fetched) return { asked, protocol, validators, failure: undefined };
      const steps = applyMetadata(protocol, fetched.text, new Date().toISOString());
      const { value } = await runInSlices(steps, nextTurn);
      return { asked, protocol: value, validators: fetched.validators, failure: undefined };
    } catch (error) {
      signal.throwIfAborted();
      const failure = error instanceof MetadataError ? error.message : "the server can't read the metadata";
      return { asked, protocol, validators: {}, failure };
    }
  }

  async function store(...[transaction, orgId, refresh, check]: StoreParameters): Promise<StoredRefresh> {
    const { asked, protocol, validators, failure } = refresh;
    const isChanged = outcomeOf(refresh) === "changed";
    if (isChanged) await transaction.touch(orgId);
    const { db, dialect, now } = transaction;
    const before = await IDPS.find(db, orgId, asked.id, dialect.lockRows);
    check?.(before);
    if (!before?.metadata || !isDeepStrictEqual(before.protocol, asked.protocol)) return { idp: undefined, events: [] };

    const { lastRefreshed, lastError, failures } = before.metadata;
    const attempts = failure === undefined ? 0 : failures + 1;
    const metadata: MetadataState = {
      lastRefreshed: failure === undefined ? now : lastRefreshed,
      lastError: failure ?? null,
      due: nextRefresh(asked.id, now, attempts, interval),
      failures: attempts,
      validators,
    };
    const lastUpdated = isChanged ? now : before.lastUpdated;
    const idp = await IDPS.update(transaction, orgId, before, { ...before, protocol, metadata, lastUpdated });
    if (isChanged) return { idp, events: [describeRefresh(before, idp)] };
    const isNews = failure !== undefined && failure !== lastError;
    return { idp, events: isNews ? [describeFailedRefresh(before, failure)] : [] };
  }
}

function outcomeOf({ asked, protocol, failure }: Refresh): Outcome {
  if (failure !== undefined) return "failed";
  return protocol === asked.protocol ? "unchanged" : "changed";
}
