import { setImmediate } from "node:timers/promises";
import type { Logger } from "pino";
import { appendChanges, type AuditEvent } from "../audit/change-events.js";
import { toLogEntity } from "../audit/describe-change.js";
import { describeJob } from "../audit/log-facts.js";
import { createRequestId } from "../audit/request-ids.js";
import { certificateFacts } from "../model/certificates.js";
import {
  countExpiring,
  findExpiring,
  findUnread,
  NEVER_EXPIRES,
  noteExpiry,
  noteWarning,
  type CertificateCounts,
  type ExpiringCertificate,
  type UnreadCertificate,
} from "../store/records/certificates.js";
import { endLease, takeLease } from "../store/records/leases.js";
import type { Store } from "../store/store.js";
import { SYSTEM } from "./system.js";

/** Between two looks, in milliseconds; and before the first one, when the start has other things to do. */
const INTERVAL_MS = 3_600_000;
const FIRST_MS = 5_000;

/** So long before it expires somebody is warned of a certificate, in milliseconds. */
export const WARNING_MS = 30 * 86_400_000;

/** How many providers are read in one turn of the event loop, before the lease is taken again, and for how long that is. */
const BATCH = 20;
const LEASE_MS = 120_000;

type Writer = Pick<Store, "write">;

export interface CertificateWatchOptions {
  store: Writer & Pick<Store, "reader">;
  log: Pick<Logger, "warn">;
  /**
   * The current time, in milliseconds.
   *
   * @default Date.now
   */
  now?: () => number;
}

export interface CertificateWatch {
  /** What the last look found. */
  readonly counts: () => CertificateCounts;
  /** Of several processes on one database one reads certificates and warns at a time. */
  readonly look: () => Promise<void>;
  /** Waits for the look that runs. */
  readonly close: () => Promise<void>;
}

/** Tells orgs in their System Log, and operators in the metrics, which certificates of identity providers expire soon. */
export function watchCertificates({ store, log, now = Date.now }: CertificateWatchOptions): CertificateWatch {
  const lease = { name: "idp-certificates", holder: createRequestId() };
  let counts: CertificateCounts = { soon: 0, expired: 0 };
  let isClosed = false;
  let running: Promise<void> | undefined;
  let timer = setTimeout(begin, FIRST_MS).unref();

  return {
    counts: () => counts,
    look,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };

  function begin(): void {
    running = look()
      .catch((error: unknown) => {
        log.warn({ err: error }, "certificates of providers could not be read");
      })
      .finally(() => {
        if (!isClosed) timer = setTimeout(begin, INTERVAL_MS).unref();
      });
  }

  async function look(): Promise<void> {
    let isHeld = false;
    try {
      do {
        isHeld = await store.write((transaction) => takeLease(transaction, lease, LEASE_MS));
      } while (isHeld && !isClosed && (await work()) > 0);
    } finally {
      if (isHeld) await store.write((transaction) => endLease(transaction, lease));
    }
    counts = await countExpiring(store.reader, new Date(now()).toISOString(), untilWhen());
  }

  /** @returns how many providers it was about; it is done when that is 0 */
  async function work(): Promise<number> {
    const unread = await findUnread(store.reader, BATCH);
    await noteAll(store, unread);
    if (unread.length > 0) return unread.length;
    const expiring = await findExpiring(store.reader, untilWhen(), BATCH);
    for (const found of expiring) {
      if (expiryOf(found) === found.expires) await warn(store, found, now());
      else await noteAll(store, [found]);
      await setImmediate(); // SQLite waits in no turn of its own
    }
    return expiring.length;
  }

  function untilWhen(): string {
    return new Date(now() + WARNING_MS).toISOString();
  }
}

async function noteAll(store: Writer, unread: readonly UnreadCertificate[]): Promise<void> {
  for (const own of groupByOrg(unread).values()) {
    await store.write(async (transaction) => {
      for (const idp of own) await noteExpiry(transaction, idp, expiryOf(idp));
    });
    await setImmediate();
  }
}

function expiryOf({ certificate = "" }: UnreadCertificate): string {
  return certificateFacts(certificate)?.validTo ?? NEVER_EXPIRES;
}

async function warn(store: Writer, warning: ExpiringCertificate, now: number): Promise<void> {
  await store.write(async (transaction) => {
    if (!(await noteWarning(transaction, warning))) return;
    const job = describeJob(createRequestId(), SYSTEM);
    const origin = { source: "metadata" } as const;
    await appendChanges(transaction, warning.orgId, job, [describeWarning(warning, now)], origin);
  });
}

function groupByOrg(unread: readonly UnreadCertificate[]): Map<string, UnreadCertificate[]> {
  const byOrg = new Map<string, UnreadCertificate[]>();
  for (const idp of unread) byOrg.set(idp.orgId, [...(byOrg.get(idp.orgId) ?? []), idp]);
  return byOrg;
}

function describeWarning(idp: ExpiringCertificate, now: number): AuditEvent {
  const { expires } = idp;
  const isExpired = Date.parse(expires) <= now;
  return {
    eventType: "system.idp.certificate.expire",
    displayMessage: isExpired
      ? "Certificate of IdentityProvider expired"
      : "Certificate of IdentityProvider expires soon",
    severity: "WARN",
    target: [{ ...toLogEntity(idp, "IdentityProvider"), detailEntry: { expires } }],
  };
}
