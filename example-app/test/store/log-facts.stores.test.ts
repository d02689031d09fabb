import fc from "fast-check";
import { compileFilter, compileFilterSql, parseFilter } from "etiquette/filter";
import { sql } from "kysely";
import { createEventWriter } from "../../src/audit/request-events.js";
import type { EndedRequest } from "../../src/audit/request-facts.js";
import { createRequestId } from "../../src/audit/request-ids.js";
import type { LogEvent } from "../../src/model/records.js";
import { packRequest } from "../../src/audit/waiting-event.js";
import { REASONS } from "../../src/discovery/compile-routing.js";
import { createLog } from "../../src/program/process/log.js";
import { toLogEvent } from "../../src/store/log/stored-facts.js";
import { LOG_FILTER } from "../../src/store/log/filter.js";
import { searchLog, type LogSelection } from "../../src/store/log/event-queries.js";
import type { LogEventRow } from "../../src/store/contract/log-schema.js";
import type { Store } from "../../src/store/store.js";
import type { RoutingDecision } from "../../src/tenancy/routing-cache.js";
import { describedRow } from "../support/described-rows.js";
import { createOrg, describeStores, type TestDatabase } from "../support/stores.js";

/** Texts that JSON, SQL and the databases treat in their own ways. */
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)), maxLength: 6 }),
  fc.constantFrom("", "[", "Unknown", "unknown", "a, b|c", '"', "\\", "\u0000", "\ud800", "İ", "%_", "Größe"),
);

const ip = fc.oneof(fc.ipV4(), fc.constantFrom("2001:db8::1", "::1", "fe80::1%eth0"));

const url = fc.oneof(
  text,
  fc.constantFrom(
    "/.well-known/webfinger?resource=svc:acct:joe@example.com",
    "/.well-known/webfinger",
    "/api/v1/users?q=a&access_token=secret#part",
    "/api/v1/users#?token=x",
    "https://joe:password@example.com/sso/idps/1?code=1",
    "*",
    `/x?${"y".repeat(3_000)}&secret=z`,
  ),
);

const principal = fc.record({
  subject: text,
  claims: fc.oneof(fc.record({ tokenName: fc.oneof(text, fc.integer()) }), fc.constant({})),
});

const context = fc.record({
  ip: fc.option(ip),
  chain: fc.array(
    fc.record({
      ip: fc.option(ip),
      source: fc.constantFrom("socket", "x-forwarded-for", "forwarded"),
      reason: fc.constantFrom("trusted", "untrusted", "unparsable", "unverified"),
    }),
    { maxLength: 4 },
  ),
  userAgent: fc.record({
    raw: fc.option(text),
    os: fc.constantFrom("Windows", "Unknown"),
    browser: fc.constantFrom("CHROME", "Unknown"),
    device: fc.constantFrom("Computer", "Unknown"),
  }),
  languages: fc.oneof(fc.constant([]), fc.constantFrom(["de"], ["de-DE", "de", "en"])),
});

/** The client is the peer, as without proxies. */
const direct = fc.tuple(ip, context).map(([address, found]) => ({
  ...found,
  ip: address,
  chain: [{ ip: address, source: "socket", reason: "untrusted" }],
}));

const status = fc.option(fc.constantFrom(200, 302, 404, 500), { nil: undefined });

/** Names are texts of people. */
const name = fc.string({ unit: "binary", minLength: 1, maxLength: 9 });

const provider = fc.oneof(
  fc.constant("org" as const),
  fc.record({ id: fc.constantFrom("0oaGET", "0oaV6"), type: fc.constantFrom("SAML2", "OIDC"), name }),
);

/** Names don't change within a revision, so each decision has another one. */
let revision = 0;

const decision: fc.Arbitrary<RoutingDecision> = fc
  .record({
    rule: fc.record({ id: fc.constantFrom("rule-1", "rule-2"), name }),
    providers: fc.array(provider, { minLength: 1, maxLength: 3 }),
    reason: fc.constantFrom(...REASONS),
  })
  .map((answer) => ({ policyId: "policy", revision: ++revision, answer }));

const end = fc
  .record({
    facts: fc.record({
      id: fc.constant("").map(createRequestId),
      method: fc.option(fc.constantFrom("GET", "POST"), { nil: undefined }),
      url: fc.option(url, { nil: undefined }),
      peer: fc.option(fc.oneof(ip, fc.constant("::ffff:192.0.2.1")), { nil: undefined }),
      rawUserAgent: fc.option(fc.oneof(text, fc.constant("x".repeat(2_000))), { nil: undefined }),
      context: fc.option(fc.oneof(context, direct), { nil: undefined }),
      principal: fc.option(principal),
      deviceFingerprint: fc.option(fc.constantFrom("Hn2x", "a-_9"), { nil: undefined }),
      tenant: fc.option(text, { nil: undefined }).map((zone) => ({ org: {}, trust: { findZone: () => zone } })),
    }),
    isServed: fc.boolean(),
    decision: fc.option(decision, { nil: undefined }),
    status,
    isFinished: fc.boolean(),
    isSuccess: fc.boolean(),
    errorCode: fc.option(fc.constant("E0000001"), { nil: undefined }),
    errorSummary: text,
  })
  .map((values) => values as unknown as EndedRequest);

const LATER_TABLES = [
  "revisions",
  "revision_changes",
  "routing_tests",
  "routing_decisions",
  "decision_counts",
  "idempotency_keys",
  "leases",
  "org_revisions",
  "org_usage",
  "rate_counts",
  "console_sessions",
  "console_links",
  "user_words",
];

/** The columns that migrations after the previous schema add. */
const LATER_COLUMNS = [
  ["log_events", "decision_id"],
  ["idps", "metadata"],
  ["idps", "metadata_due"],
  ["idps", "certificate_expires"],
  ["idps", "certificate_warned"],
  ["issuers", "types"],
  ["api_tokens", "previous_hash"],
  ["api_tokens", "previous_expires"],
  ["api_tokens", "creator_type"],
  ["api_tokens", "creator_id"],
  ["api_tokens", "last_used"],
  ["api_tokens", "addresses"],
  ["users", "words"],
  ["users", "words_revision"],
  ["log_heads", "day"],
  ["log_heads", "day_size"],
  ["orgs", "status"],
  ["orgs", "rate_limits"],
  ["orgs", "sign_in_url"],
  ["orgs", "when_profile_unavailable"],
] as const;

const parse = (filter: string) => parseFilter(filter, { maxBytesPerCharacter: 4 });

describeStores((_engine, database) => {
  let data: TestDatabase;
  let store: Store;
  let orgId: string;

  async function open(need?: { bare: boolean }): Promise<void> {
    data = await database(need);
    store = await data.open();
    orgId = (await createOrg(store, { subdomain: "demo", name: "Demo" })).id;
  }

  const createWriter = (into: Store) =>
    createEventWriter({
      store: into,
      findOwner: () => Promise.resolve({ orgId, wasAsked: true }),
      log: createLog("silent"),
      dayLimit: Infinity,
      orgType: "SVC",
    });

  async function find(from: Store, selection: Partial<LogSelection> = {}): Promise<LogEvent[]> {
    const all = { since: "", until: undefined, words: [], expression: undefined, isDescending: false, ...selection };
    const page = { after: undefined, before: undefined, fetchLimit: 10_000 };
    const { rows } = await from.forOrg(orgId).search((dialect, id) => searchLog(dialect, id, all), page);
    return rows.map(toLogEvent);
  }

  const expressionOf = (filter: string): LogSelection["expression"] => ({
    filter: parse(filter),
    schema: LOG_FILTER,
    toSql: (dialect) => compileFilterSql(parse(filter), LOG_FILTER, dialect),
  });

  const expectBytes = (found: readonly LogEvent[], rows: readonly LogEventRow[]): void => {
    const texts = rows.map(({ event }, i) => {
      const { uuid, published } = found[i]!;
      return JSON.stringify({ uuid, published, ...JSON.parse(event) });
    });
    expect(found.map((event) => JSON.stringify(event))).toEqual(texts);
  };

  /** The same with what was decided, as it is described at once. */
  function decide(row: LogEventRow, { decision }: EndedRequest): LogEventRow {
    if (!decision) return row;
    const { policyId, revision, answer } = decision;
    const entity = (type: string, id: string, given: string) => {
      const shown = given.replaceAll(/\0|\p{Surrogate}/gu, "\ufffd");
      return { id, type, alternateId: shown, displayName: shown };
    };
    const rules = answer.reason === "no rule" ? [] : [answer.rule];
    const event = JSON.parse(row.event);
    event.target = [
      entity("Policy", policyId, "Idp Discovery Policy"),
      ...rules.map(({ id, name }) => entity("PolicyRule", id, name)),
      ...answer.providers.map((each) =>
        each === "org" ? entity("IdentityProvider", "SVC", "SVC") : entity("IdentityProvider", each.id, each.name),
      ),
    ].map((each) => ({ ...each, detailEntry: null }));
    Object.assign(event.debugContext.debugData, {
      policyId,
      revision: String(revision),
      ...(rules[0] && { ruleId: rules[0].id }),
      reason: answer.reason,
    });
    return { ...row, event: JSON.stringify(event) };
  }

  const idsOf = (events: readonly LogEvent[]): string[] => events.map(({ transaction }) => transaction.id);

  it("D2 F10 reads facts as the events that were described at once, also in filters and q", async () => {
    await open();
    const write = createWriter(store);
    const names = [...LOG_FILTER.attributes.keys()].map((name) => name.replace(/\*$/, "url"));
    const terms = fc.array(
      fc.record({
        name: fc.constantFrom(...names),
        operator: fc.constantFrom("eq", "ne", "gt", "ge", "lt", "le", "sw", "ew", "co", "pr"),
        operand: fc.oneof(
          fc.constantFrom("", "GET", "200", "Unknown", "V6", "192.0.2.1", "system.", "de", "rule-1", "SVC"),
          fc.nat(),
        ),
      }),
      { minLength: 3, maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(end, { minLength: 1, maxLength: 12 }), terms, fc.nat(), async (ends, tests, place) => {
        await store.write(({ db }) => db.deleteFrom("log_events").execute());
        const known = ends.map((each) => ({ ...each, facts: { ...each.facts, id: createRequestId() } }));
        expect(await write(known.map(packRequest))).toEqual({ left: [], failure: undefined, refused: [] });
        const rows = known.map((each) =>
          decide(describedRow({ org_id: orgId, published: "", sequence: 0 }, each), each),
        );
        const all = await find(store);
        expectBytes(all, rows);
        const stored = await store.reader.selectFrom("log_events").select("event").execute();
        for (const { event } of stored) expect(event).toMatch(/^\[(?!.*(?:secret|password))/);

        for (const { name, operator, operand } of tests) {
          const value =
            typeof operand === "number" ? valueOf(all[operand % all.length]!, name) : JSON.stringify(operand);
          const filter = `${name} ${operator === "pr" || !isComparable(name) ? "pr" : `${operator} ${value}`}`;
          const matches = compileFilter(parse(filter), LOG_FILTER);
          expect([filter, idsOf(await find(store, { expression: expressionOf(filter) }))]).toEqual([
            filter,
            idsOf(all.filter(matches)),
          ]);
        }
        const { search_text } = rows[place % rows.length]!;
        const words = search_text.split(/\s+/u).filter((word) => word !== "");
        const word = Array.from(words[place % words.length]!)
          .slice(0, 1 + (place % 12))
          .join("");
        expect([word, idsOf(await find(store, { words: [word] }))]).toEqual([
          word,
          rows.filter((row) => row.search_text.includes(word)).map(({ request_id }) => request_id),
        ]);
      }),
    );
  });

  const isComparable = (name: string): boolean => LOG_FILTER.attributes.get(name)?.type !== "complex";

  /** An operand that an event has for this attribute. */
  function valueOf(event: LogEvent, name: string): string {
    let value: unknown = event;
    for (const member of name.split(".")) {
      if (Array.isArray(value)) [value] = value;
      value = (value as Record<string, unknown> | null | undefined)?.[member];
    }
    return JSON.stringify(typeof value === "string" ? value : "");
  }

  it("reads what the previous schema has, beside what comes later", async () => {
    await open({ bare: true });
    const sample = fc.sample(end, 50).map((each) => ({ ...each, decision: undefined }));
    const ends = sample.map((each) => ({ ...each, facts: { ...each.facts, id: createRequestId() } }));
    const rows = ends.map((each, i) =>
      describedRow({ org_id: orgId, published: "2026-01-05T09:00:00.000Z", sequence: i + 1 }, each),
    );
    await store.write(async ({ db }) => {
      await sql`drop view log_entries`.execute(db);
      for (const table of LATER_TABLES) await sql`drop table if exists ${sql.ref(table)}`.execute(db);
      for (const name of ["profile_login", "email", "first_name", "last_name"]) {
        await sql`drop index ${sql.ref(`users_${name}_lower`)}`.execute(db);
      }
      for (const column of ["previous_hash", "creator_id"]) {
        await sql`drop index ${sql.ref(`api_tokens_${column}`)}`.execute(db);
      }
      for (const name of ["idps_metadata_due", "idps_certificate_expires", "users_without_words"]) {
        await sql`drop index ${sql.ref(name)}`.execute(db);
      }
      for (const [table, column] of LATER_COLUMNS) {
        await sql`alter table ${sql.ref(table)} drop column ${sql.ref(column)}`.execute(db);
      }
      await sql`alter table orgs add column revision bigint not null default 1`.execute(db);
      await sql`delete from kysely_migration where name >= '0003-log-facts'`.execute(db);
      const old = rows.map(({ decision_id: _, ...row }) => row);
      await db.insertInto("log_events").values(old).execute();
      const head = { org_id: orgId, sequence: rows.length, published: "2026-01-05T09:00:00.000Z" };
      await db.insertInto("log_heads").values(head).execute();
    });
    await store.close();

    const current = await data.open();
    const old = await find(current);
    expectBytes(old, rows);
    expect(old.map(({ uuid, published }) => [uuid, published])).toEqual(
      rows.map(({ uuid, published }) => [uuid, published]),
    );
    const write = createWriter(current);
    const again = ends.map((each) => ({ ...each, facts: { ...each.facts, id: `${each.facts.id}-again` } }));
    await write(again.map(packRequest));
    const all = await find(current);
    expect(all.slice(0, 50)).toEqual(old);
    expect(await find(current, { isDescending: true })).toEqual(all.toReversed());

    const withoutIds = all.map((event) =>
      JSON.stringify({ ...event, uuid: "", published: "" }).replaceAll("-again", ""),
    );
    expect(withoutIds.slice(50)).toEqual(withoutIds.slice(0, 50));
    for (const filter of ['outcome.result eq "FAILURE"', 'request.ipChain.version eq "V6"', "client.zone pr"]) {
      const found = idsOf(await find(current, { expression: expressionOf(filter) }));
      expect(found).toEqual(idsOf(all.filter(compileFilter(parse(filter), LOG_FILTER))));
    }
    const searched = await find(current, { words: ["webfinger"] });
    expect(searched.length).toBe(2 * rows.filter(({ search_text }) => search_text.includes("webfinger")).length);
  });
});
