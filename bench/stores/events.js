"use strict";

/** Events of WebFinger requests, as the server writes them. */
function createEvents(count) {
  return Array.from({ length: count }, (_, index) => createEvent(index));
}

function createEvent(index) {
  const id = `benchmark-${index}`;
  const ip = `203.0.113.${index % 256}`;
  const url = `/.well-known/webfinger?resource=svc:acct:joe.${index}@tenant-${index}.example.com`;
  return {
    version: "0",
    eventType: "system.webfinger.query",
    severity: "DEBUG",
    displayMessage: "WebFinger query",
    actor: { id: "unknown", type: "User", alternateId: "unknown", displayName: "Unknown", detailEntry: null },
    client: {
      userAgent: { rawUserAgent: "curl/8.5.0", os: "Unknown", browser: "Unknown" },
      zone: null,
      device: "Unknown",
      id: null,
      ipAddress: ip,
      geographicalContext: null,
    },
    outcome: { result: "SUCCESS", reason: null },
    target: null,
    transaction: { type: "WEB", id, detail: {} },
    debugContext: { debugData: { requestId: id, requestUri: "/.well-known/webfinger", url, method: "GET" } },
    authenticationContext: {},
    securityContext: {},
    request: { ipChain: [{ ip, geographicalContext: null, version: "V4", source: "socket" }] },
  };
}

/**
 * Repeat the events of an org until there are about `count`, an hour older than all that is written from now on. Other
 * processes may use the database meanwhile.
 */
async function fillLog({ engine, run }, { orgId, count }) {
  const copy = COPIES[engine];
  const [[{ present, first }]] = await run([
    `select count(*) as present, min(sequence) as first from log_events where org_id = '${orgId}'`,
  ]);
  const rounds = Math.ceil(count / Number(present));
  await run([
    `insert into log_events (org_id, published, sequence, uuid, event_type, severity, request_id, search_text, event)
      select org_id, ${copy.earlier}, -(i * ${Number(present)} + sequence - ${Number(first)}) - 1, uuid, event_type,
        severity, request_id, search_text, event
      from log_events cross join ${copy.numbers(rounds)} where org_id = '${orgId}' and sequence > 0`,
    ...copy.after,
  ]);
}

const COPIES = {
  sqlite: {
    earlier: "strftime('%Y-%m-%dT%H:%M:%fZ', published, '-1 hour')",
    numbers: (count) => `(with recursive numbers(i) as (
      select 1 union all select i + 1 from numbers where i < ${count}) select i from numbers) as numbers`,
    after: ["pragma synchronous = full", "pragma wal_checkpoint(truncate)"], // or whoever writes next waits for the disk
  },
  postgresql: {
    earlier: `to_char((published::timestamptz - interval '1 hour') at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    numbers: (count) => `generate_series(1::bigint, ${count}) as numbers(i)`,
    after: ["analyze log_events"],
  },
};

module.exports = { createEvents, fillLog };
