import { sql, type Kysely, type RawBuilder } from "kysely";
import type { Database } from "./common.js";

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

/** Attributes of any type; their columns are JSON. */
const VALUES = ["requestUri", "url", "method", "statusCode"].map((name) => `debugContext.debugData.${name}`);

/** The SQL that differs between databases. */
interface Syntax {
  /** A member of the document of a row, as text. */
  readonly text: (path: string) => RawBuilder<string | null>;
  /** The same as JSON. */
  readonly json: (path: string) => RawBuilder<unknown>;
  /** A fact as text. */
  readonly fact: (fact: Fact) => RawBuilder<string | null>;
  /** JSON of a text. */
  readonly quote: (text: RawBuilder<unknown>) => RawBuilder<unknown>;
}

const SYNTAX: Readonly<Record<Database, Syntax>> = {
  sqlite: {
    text: (path) => sql`event ->> ${sql.lit(`$.${path}`)}`,
    json: (path) => sql`event -> ${sql.lit(`$.${path}`)}`,
    fact: (fact) => sql`(event ->> ${sql.lit(FACTS.indexOf(fact))})`,
    quote: (text) => sql`json_quote(${text})`,
  },
  postgresql: {
    text: (path) => sql`event::jsonb #>> ${sql.lit(`{${path.replaceAll(".", ",")}}`)}`,
    json: (path) => sql`event::jsonb #> ${sql.lit(`{${path.replaceAll(".", ",")}}`)}`,
    fact: (fact) => sql`(event::jsonb ->> ${sql.lit(FACTS.indexOf(fact))})`,
    quote: (text) => sql`to_jsonb(${text})`,
  },
};

/** Whether a row has facts instead of a described event. */
const HAS_FACTS = sql<boolean>`substr(event, 1, 1) = '['`;

/**
 * `log_entries` is `log_events` with a column for each attribute that facts decide, so that filters find facts and
 * described events alike. It stores nothing.
 */
export async function up(db: Kysely<unknown>, database: Database): Promise<void> {
  const syntax = SYNTAX[database];
  const columns = Object.entries(selectAttributes(syntax)).map(([name, fact]) => {
    const member = VALUES.includes(name) ? syntax.json : syntax.text;
    return sql`case when ${HAS_FACTS} then ${fact} else ${member(name)} end as ${sql.ref(name.replaceAll(".", "_"))}`;
  });
  await sql`drop view if exists log_entries`.execute(db);
  await sql`create view log_entries as
    select org_id, sequence, published, uuid, event_type, severity, request_id, search_text, event,
      ${sql.join(columns)}
    from log_events`.execute(db);
}

/** What the facts say of each attribute. */
function selectAttributes({ fact, quote }: Syntax): Record<string, RawBuilder<unknown>> {
  const messages = Object.entries(MESSAGES).map(
    ([type, message]) => sql`when ${sql.lit(type)} then ${sql.lit(message)}`,
  );
  const version = sql`case when ${fact("ip")} like '%:%' then 'V6' else 'V4' end`;
  const peer = sql`'[{"ip":"' || ${fact("ip")} || '","version":"' || ${version} || '","source":"socket"}]'`;
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
  };
}
