import { sql } from "kysely";
import type { Idp } from "../../model/records.js";
import type { Db, IdpRow } from "../contract/schema.js";
import type { WriteTransaction } from "../contract/transaction.js";

/** In place of a time, for a provider without a certificate. */
export const NEVER_EXPIRES = "9999-12-31T23:59:59.999Z";

/** A provider of an active org whose certificate has not been read since it was written. */
export interface UnreadCertificate extends Pick<Idp, "id" | "name" | "lastUpdated"> {
  readonly orgId: string;
  readonly certificate: string | undefined;
}

/** An active provider whose certificate expires soon, of which nobody was warned. */
export interface ExpiringCertificate extends UnreadCertificate {
  /** As it was noted: an older version of the server changes the certificate alone. */
  readonly expires: string;
}

/** How many certificates of active providers expire until a time, or have expired. */
export interface CertificateCounts {
  readonly soon: number;
  readonly expired: number;
}

const OF_ACTIVE_ORG = sql`exists (select 1 from orgs where orgs.id = idps.org_id and orgs.status = 'ACTIVE')`;

const COLUMNS = sql`org_id, id, name, last_updated, protocol`;

type Row = Pick<IdpRow, "org_id" | "id" | "name" | "last_updated" | "protocol">;

export async function findUnread(db: Db, limit: number): Promise<UnreadCertificate[]> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from idps where certificate_expires is null and ${OF_ACTIVE_ORG} limit ${limit}
  `.execute(db);
  return rows.map(toUnread);
}

function toUnread({ org_id: orgId, id, name, last_updated: lastUpdated, protocol }: Row): UnreadCertificate {
  const { credentials } = JSON.parse(protocol) as Idp["protocol"];
  return { orgId, id, name, lastUpdated, certificate: credentials?.trust?.certificate };
}

/** Note when it expires, unless the provider was changed since it was read. */
export async function noteExpiry(
  { db }: WriteTransaction,
  { orgId, id, lastUpdated }: Pick<UnreadCertificate, "orgId" | "id" | "lastUpdated">,
  expires: string,
): Promise<void> {
  await sql`
    update idps set certificate_expires = ${expires}
    where org_id = ${orgId} and id = ${id} and last_updated = ${lastUpdated}
  `.execute(db);
}

export async function findExpiring(db: Db, until: string, limit: number): Promise<ExpiringCertificate[]> {
  const { rows } = await sql<Row & { expires: string }>`
    select ${COLUMNS}, certificate_expires as expires from idps
    where certificate_expires <= ${until} and status = 'ACTIVE' and ${OF_ACTIVE_ORG}
      and (certificate_warned is null or certificate_warned <> certificate_expires)
    order by certificate_expires, org_id, id limit ${limit}
  `.execute(db);
  return rows.map((row) => ({ ...toUnread(row), expires: row.expires }));
}

/** @returns whether that is still to be told: nobody else has, and the certificate is the same */
export async function noteWarning({ db }: WriteTransaction, warning: ExpiringCertificate): Promise<boolean> {
  const { orgId, id, expires } = warning;
  const { numAffectedRows = 0n } = await sql`
    update idps set certificate_warned = ${expires}
    where org_id = ${orgId} and id = ${id} and certificate_expires = ${expires}
      and (certificate_warned is null or certificate_warned <> ${expires})
  `.execute(db);
  return numAffectedRows > 0n;
}

export async function countExpiring(db: Db, now: string, until: string): Promise<CertificateCounts> {
  const { rows } = await sql<Record<keyof CertificateCounts, number | string>>`
    select count(case when certificate_expires > ${now} then 1 end) as soon,
      count(case when certificate_expires <= ${now} then 1 end) as expired
    from idps where certificate_expires <= ${until} and status = 'ACTIVE' and ${OF_ACTIVE_ORG}
  `.execute(db);
  return { soon: Number(rows[0]?.soon), expired: Number(rows[0]?.expired) };
}
