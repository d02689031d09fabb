import { sql, type Kysely, type RawBuilder } from "kysely";
import type { Dialect } from "../contract/dialect.js";
import { MESSAGES, placeOf, type LogFacts } from "./stored-facts.js";

/*
 * `log_entries` is `log_events` with a column for each attribute that facts decide, so that filters find facts and
 * described events alike. It stores nothing. Its SQL depends on this file: create it again in a migration if you change
 * one of its columns.
 */

/** The column of an attribute. */
export const columnOf = (attribute: string): string => attribute.replaceAll(".", "_");

/** The SQL that differs between databases. */
interface Syntax {
  /** A member of the document of a row, as text. */
  readonly text: (path: string) => RawBuilder<string | null>;
  /** The same as JSON. */
  readonly json: (path: string) => RawBuilder<unknown>;
  /** A fact as text. */
  readonly fact: (fact: keyof LogFacts) => RawBuilder<string | null>;
  /** JSON of a text. */
  readonly quote: (text: RawBuilder<unknown>) => RawBuilder<unknown>;
}

const SYNTAX: Readonly<Record<Dialect["filter"], Syntax>> = {
  sqlite: {
    text: (path) => sql`event ->> ${sql.lit(`$.${path}`)}`,
    json: (path) => sql`event -> ${sql.lit(`$.${path}`)}`,
    fact: (fact) => sql`(event ->> ${sql.lit(placeOf(fact))})`,
    quote: (text) => sql`json_quote(${text})`,
  },
  postgresql: {
    text: (path) => sql`event::jsonb #>> ${sql.lit(`{${path.replaceAll(".", ",")}}`)}`,
    json: (path) => sql`event::jsonb #> ${sql.lit(`{${path.replaceAll(".", ",")}}`)}`,
    fact: (fact) => sql`(event::jsonb ->> ${sql.lit(placeOf(fact))})`,
    quote: (text) => sql`to_jsonb(${text})`,
  },
};

/** Attributes of any type; their columns are JSON. */
const VALUES = ["requestUri", "url", "method", "statusCode"].map((name) => `debugContext.debugData.${name}`);

/** Attributes that are JSON in the view. */
export const DOCUMENTS: ReadonlySet<string> = new Set([...VALUES, "request.ipChain", "client.languages"]);

/** Whether a row has facts instead of a described event. */
const HAS_FACTS = sql<boolean>`substr(event, 1, 1) = '['`;

export async function createLogView(db: Kysely<unknown>, { filter }: Dialect): Promise<void> {
  const syntax = SYNTAX[filter];
  const columns = Object.entries(selectAttributes(syntax)).map(([name, fact]) => {
    const member = VALUES.includes(name) ? syntax.json : syntax.text;
    return sql`case when ${HAS_FACTS} then ${fact} else ${member(name)} end as ${sql.ref(columnOf(name))}`;
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
