import { sql, type Kysely, type RawBuilder } from "kysely";
import { referringToOrg, required, textOf, type Database } from "./common.js";

/** The facts in the array of a row, each at its place. */
const FACTS = [
  "path",
  "query",
  "method",
  "status",
  "ip",
  "userAgent",
  "os",
  "browser",
  "device",
  "hops",
  "zone",
  "reason",
  "actor",
  "tokenName",
  "languages",
  "deviceFingerprint",
] as const;

type Fact = (typeof FACTS)[number];

/** What the events of requests say, by their type. */
const MESSAGES = {
  "system.webfinger.query": "WebFinger query",
  "system.api.request": "API request",
  "system.sso.redirect": "Redirect to sign in",
  "system.http.request": "HTTP request",
  "system.http.refused": "Refused request",
  "system.operation.rate_limit.violation": "Rate limit exceeded",
};

const valuesOf = (names: readonly string[]) => names.map((name) => `debugContext.debugData.${name}`);

/** What a decision says, at the same place in its document as in a described event. */
const DECIDED = ["target", ...valuesOf(["policyId", "revision", "ruleId", "reason"])];

/** Attributes of any type; their columns are JSON. */
const VALUES = [...DECIDED, ...valuesOf(["requestUri", "url", "method", "statusCode"])];

/** The SQL that differs between databases. */
interface Syntax {
  /** A member of the document of a row, as text. */
  readonly text: (path: string) => RawBuilder<string | null>;
  /** The same as JSON; of another document if `column` has one. */
  readonly json: (path: string, column?: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** A fact as text. */
  readonly fact: (fact: Fact) => RawBuilder<string | null>;
  /** JSON of a text. */
  readonly quote: (text: RawBuilder<unknown>) => RawBuilder<unknown>;
}

const EVENT = sql`event`;

const SYNTAX: Readonly<Record<Database, Syntax>> = {
  sqlite: {
    text: (path) => sql`event ->> ${sql.lit(`$.${path}`)}`,
    json: (path, column = EVENT) => sql`${column} -> ${sql.lit(`$.${path}`)}`,
    fact: (fact) => sql`(event ->> ${sql.lit(FACTS.indexOf(fact))})`,
    quote: (text) => sql`json_quote(${text})`,
  },
  postgresql: {
    text: (path) => sql`event::jsonb #>> ${sql.lit(`{${path.replaceAll(".", ",")}}`)}`,
    json: (path, column = EVENT) => sql`${column}::jsonb #> ${sql.lit(`{${path.replaceAll(".", ",")}}`)}`,
    fact: (fact) => sql`(event::jsonb ->> ${sql.lit(FACTS.indexOf(fact))})`,
    quote: (text) => sql`to_jsonb(${text})`,
  },
};

/** Whether a row has facts instead of a described event. */
const HAS_FACTS = sql<boolean>`substr(event, 1, 1) = '['`;

/**
 * What routing rules decided for requests: each decision once, to which events refer, and how many there were on each day,
 * by the hour. `log_entries` is `log_events` with a column for each attribute that facts or decisions have, so that filters
 * find facts and described events alike. It stores nothing.
 */
export async function up(db: Kysely<unknown>, database: Database): Promise<void> {
  await sql`drop view if exists log_entries`.execute(db);
  await createTables(db, database);
  const syntax = SYNTAX[database];
  const columns = Object.entries(selectAttributes(syntax)).map(([name, fact]) => {
    const member = VALUES.includes(name) ? syntax.json : syntax.text;
    return sql`case when ${HAS_FACTS} then ${fact} else ${member(name)} end as ${sql.ref(name.replaceAll(".", "_"))}`;
  });
  await sql`create view log_entries as
    select log_events.org_id, sequence, published, uuid, event_type, severity, request_id, search_text, event,
      document as decision, ${sql.join(columns)}
    from log_events left join routing_decisions
      on routing_decisions.org_id = log_events.org_id and routing_decisions.id = decision_id`.execute(db);
}

async function createTables({ schema }: Kysely<unknown>, database: Database): Promise<void> {
  const text = textOf(database);
  await schema.alterTable("log_events").addColumn("decision_id", text).execute();
  await schema
    .createTable("routing_decisions")
    .addColumn("org_id", text, referringToOrg)
    .addColumn("id", text, required)
    .addColumn("document", text, required)
    .addColumn("last_used", text, required)
    .addPrimaryKeyConstraint("routing_decisions_pk", ["org_id", "id"])
    .execute();
  await schema.createIndex("routing_decisions_last_used").on("routing_decisions").column("last_used").execute();
  let counts = schema
    .createTable("decision_counts")
    .addColumn("org_id", text, referringToOrg)
    .addColumn("rule_id", text, required)
    .addColumn("provider_id", text, required)
    .addColumn("day", text, required)
    .addColumn("last", text, required)
    .addPrimaryKeyConstraint("decision_counts_pk", ["org_id", "rule_id", "provider_id", "day"]);
  for (let hour = 0; hour < 24; hour++) {
    counts = counts.addColumn(`h${hour}` as "last", "integer", (column) => column.notNull().defaultTo(0));
  }
  await counts.execute();
  await schema.createIndex("decision_counts_day").on("decision_counts").column("day").execute();
}

/** What the facts say of each attribute. */
function selectAttributes({ fact, quote, json }: Syntax): Record<string, RawBuilder<unknown>> {
  const messages = Object.entries(MESSAGES).map(
    ([type, message]) => sql`when ${sql.lit(type)} then ${sql.lit(message)}`,
  );
  const version = sql`case when ${fact("ip")} like '%:%' then 'V6' else 'V4' end`;
  const peer = sql`'[{"ip":"' || ${fact("ip")} || '","version":"' || ${version} || '","source":"socket"}]'`;
  const decided = DECIDED.map((name) => [name, json(name, sql`document`)] as const);
  return {
    version: sql`'0'`,
    displayMessage: sql`case event_type ${sql.join(messages, sql` `)} end`,
    "outcome.result": sql`case severity when 'DEBUG' then 'SUCCESS' else 'FAILURE' end`,
    "outcome.reason": fact("reason"),
    "transaction.type": sql`'WEB'`,
    "actor.id": sql`coalesce(${fact("actor")}, 'unknown')`,
    "actor.type": sql`case when ${fact("actor")} is null then 'User' when ${fact("tokenName")} is null then 'AccessToken'
      else 'ApiToken' end`,
    "actor.alternateId": sql`coalesce(${fact("actor")}, 'unknown')`,
    "actor.displayName": sql`coalesce(${fact("tokenName")}, ${fact("actor")}, 'Unknown')`,
    "client.userAgent.rawUserAgent": fact("userAgent"),
    "client.userAgent.os": fact("os"),
    "client.userAgent.browser": fact("browser"),
    "client.zone": fact("zone"),
    "client.device": fact("device"),
    "client.id": sql`null`,
    "client.ipAddress": fact("ip"),
    "client.languages": fact("languages"),
    "client.deviceFingerprint": fact("deviceFingerprint"),
    "request.ipChain": sql`coalesce(${fact("hops")}, ${peer})`,
    "debugContext.debugData.requestUri": quote(fact("path")),
    "debugContext.debugData.url": quote(sql`${fact("path")} || ${fact("query")}`),
    "debugContext.debugData.method": quote(fact("method")),
    "debugContext.debugData.statusCode": quote(fact("status")),
    ...Object.fromEntries(decided),
  };
}
