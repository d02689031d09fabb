"use strict";

/**
 * SQL that fills tables with what a large org has. Rows are loaded in the order of time, as they would have come; ids and
 * logins are in no such order, as theirs are not.
 */

/** What the engines say in different words. */
const WORDS = {
  sqlite: {
    numbers: (count) => `(with recursive numbers(i) as (
      select 1 union all select i + 1 from numbers where i < ${count}) select i from numbers) as numbers`,
    pad: (number) => `printf('%017d', ${number})`,
    time: (seconds) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${seconds}, 'unixepoch')`,
    before: [],
    parts: `select 'drop index ' || name as removal, sql as creation from sqlite_master
      where type = 'index' and tbl_name = 'users' and sql is not null`,
    after: [],
  },
  postgresql: {
    numbers: (count) => `generate_series(1::bigint, ${count}) as numbers(i)`,
    pad: (number) => `lpad((${number})::text, 17, '0')`,
    time: (seconds) => `to_char(to_timestamp(${seconds}) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    before: ["set maintenance_work_mem = '256MB'", "set synchronous_commit = off"],
    parts: `select 'drop index ' || indexname as removal, indexdef as creation from pg_indexes
      where tablename = 'users' and indexname not in (select conname from pg_constraint)
      union all
      select 'alter table users drop constraint ' || conname,
        'alter table users add constraint ' || conname || ' ' || pg_get_constraintdef(oid)
      from pg_constraint where conrelid = 'users'::regclass`,
    after: ["vacuum analyze users"], // as the server's autovacuum does
  },
};

const ORG = "00o00000000000000big";

/** 1 January 2020. */
const FIRST_SECOND = 1_577_836_800;

/** A prime beyond every count: multiples of a number, modulo it, come in no order and none comes twice. */
const MODULUS = 1_000_003;

/**
 * Add an org and its users to an empty table, whose indexes are made afterwards, which is faster. 3 in 97 users are STAGED,
 * 2 DEPROVISIONED, the others ACTIVE; each was changed a minute after the one before; 5,000 last names.
 *
 * @param count 1 to 1,000,000
 * @returns the id of the org
 */
async function seedUsers({ engine, run }, count) {
  const { numbers, pad, time, before, parts, after } = WORDS[engine];
  const number = pad(`i * 387383 % ${MODULUS}`);
  const login = `'user.' || ${number} || '@example.com'`;
  const moment = time(`${FIRST_SECOND} + i * 60`);
  const profile = `'{"login":"' || ${login} || '","email":"' || ${login} || '","firstName":"Joe","lastName":"Doe ' ||
    (i % 5000) || '","department":"Sales and Marketing","costCenter":"' || (i % 100) || '","tags":["staff","emea"]}'`;
  const [found] = await run([parts]);

  await run([
    ...before,
    ...found.map(({ removal }) => removal),
    `insert into orgs (id, subdomain, name, policy_id, created, last_updated)
      values ('${ORG}', 'big', 'Big', 'policy', ${time(FIRST_SECOND)}, ${time(FIRST_SECOND)})`,
    `insert into org_revisions (org_id, revision) values ('${ORG}', 1)`,
    `insert into users (org_id, id, login, status, created, activated, status_changed, last_updated, profile,
        profile_login, email, first_name, last_name)
      select '${ORG}', '00u' || ${pad(`i * 611953 % ${MODULUS}`)}, ${login},
        case when i % 97 < 3 then 'STAGED' when i % 97 < 5 then 'DEPROVISIONED' else 'ACTIVE' end,
        ${moment}, ${moment}, ${moment}, ${moment}, ${profile}, ${login}, ${login}, 'Joe', 'Doe ' || (i % 5000)
      from ${numbers(count)}`,
    ...found.map(({ creation }) => creation),
    ...after,
  ]);
  return ORG;
}

module.exports = { seedUsers };
