"use strict";

/** WebFinger requests, as the server hands them to the log. */
function createRequests(count) {
  return Array.from({ length: count }, (_, index) => createRequest(index));
}

function createRequest(index) {
  return {
    requestId: `benchmark-${index}`,
    eventType: "system.webfinger.query",
    severity: "DEBUG",
    facts: {
      path: "/.well-known/webfinger",
      query: `?resource=svc:acct:joe.${index}@tenant-${index}.example.com`,
      method: "GET",
      status: "200",
      ip: `203.0.113.${index % 256}`,
      userAgent: "curl/8.5.0",
      os: "Unknown",
      browser: "Unknown",
      device: "Unknown",
      hops: null,
      zone: null,
      reason: null,
      actor: null,
      tokenName: null,
    },
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

module.exports = { createRequests, fillLog };
