import type { AuditEvent } from "../audit/change-events.js";
import { toLogEntity } from "../audit/describe-change.js";
import { certificateFacts } from "../model/certificates.js";
import type { Idp } from "../model/records.js";

type Protocol = Idp["protocol"];

/** What metadata changed: `{ "protocol.endpoints.sso.url": { old, new } }`. A certificate is told by its fingerprint. */
export function describeRefresh(before: Idp, after: Pick<Idp, "protocol">): AuditEvent {
  const changes = Object.entries(READERS).flatMap(([place, read]) => {
    const [old, now] = [read(before.protocol), read(after.protocol)];
    return old === now ? [] : [[place, { old: old ?? null, new: now ?? null }]];
  });
  return describe(before, { changes: Object.fromEntries(changes) as object });
}

/** An attempt that failed, with the reason. */
export function describeFailedRefresh(idp: Idp, reason: string): AuditEvent {
  return { ...describe(idp, null), failure: reason };
}

function describe(idp: Idp, detailEntry: Record<string, unknown> | null): AuditEvent {
  return {
    eventType: "system.idp.metadata.refresh",
    displayMessage: "Refresh metadata of IdentityProvider",
    target: [{ ...toLogEntity(idp, "IdentityProvider"), detailEntry }],
  };
}

const READERS: Readonly<Record<string, (protocol: Protocol) => string | undefined>> = {
  "protocol.endpoints.sso.url": ({ endpoints }) => endpoints.sso.url,
  "protocol.credentials.trust.certificate": ({ credentials }) =>
    certificateFacts(credentials?.trust?.certificate ?? "")?.fingerprint,
};
