"use strict";

const path = require("node:path");
const { Client } = require("pg");

/** Characters of ids. */
const ID_LENGTH = 20;

/** Execute statements past the server: `query(sql, values)`, with `?` for a value, promises the rows. One transaction. */
async function pastServer(database, work) {
  return database.engine === "sqlite" ? inSqlite(database, work) : inPostgres(database, work);
}

async function inSqlite({ dataFolder }, work) {
  const Database = require("libsql");
  const connection = new Database(path.join(dataFolder, "etiquette.db"));
  const statements = new Map();
  try {
    connection.exec("pragma synchronous = off");
    connection.exec("begin immediate");
    const result = await work(async (sql, values = []) => {
      if (!statements.has(sql)) statements.set(sql, connection.prepare(sql));
      const statement = statements.get(sql);
      return statement.reader ? statement.all(...values) : statement.run(...values);
    });
    connection.exec("commit");
    return result;
  } finally {
    connection.close();
  }
}

async function inPostgres({ databaseUrl }, work) {
  const connection = new Client({ connectionString: databaseUrl });
  await connection.connect();
  try {
    await connection.query("begin");
    const result = await work(async (sql, values = []) => {
      let number = 0;
      return (
        await connection.query(
          sql.replaceAll("?", () => `$${++number}`),
          values,
        )
      ).rows;
    });
    await connection.query("commit");
    return result;
  } finally {
    await connection.end();
  }
}

async function findOrgId(database, subdomain) {
  const [{ id }] = await pastServer(database, (query) => query("select id from orgs where subdomain = ?", [subdomain]));
  return id;
}

/**
 * Insert copies of a record that the org has, each with other values of some columns: also records that are larger than the
 * server accepts now, as an older one may have left them.
 */
function copyRow(database, { table, orgId, name = "name", from, copies }) {
  return pastServer(database, async (query) => {
    const [row] = await query(`select * from ${table} where org_id = ? and ${name} = ?`, [orgId, from]);
    const columns = Object.keys(row).filter((column) => column !== "sequence");
    const places = columns.map(() => "?").join(", ");
    const insert = `insert into ${table} (${columns.join(", ")}) values (${places})`;
    for (const [index, changes] of copies.entries()) {
      const copy = { ...row, id: `${index}`.padStart(ID_LENGTH, "0"), ...changes };
      await query(
        insert,
        columns.map((column) => copy[column]),
      );
    }
  });
}

/** Add rules before the default one, with these conditions and, where they are given, actions. */
async function addRules(database, orgId, rules) {
  const places = { first: 2, last: rules.length + 2 };
  await pastServer(database, (query) =>
    query("update rules set priority = ?, position = ? where org_id = ? and system = 1", [places.last, 2 ** 40, orgId]),
  );
  const copies = rules.map(({ conditions, actions }, index) => ({
    name: `Rule ${index}`,
    priority: places.first + index,
    position: 2 ** 30 + index,
    conditions: JSON.stringify(conditions),
    ...(actions && { actions: JSON.stringify(actions) }),
  }));
  await copyRow(database, { table: "rules", orgId, from: "First", copies });
}

/** Give users these attributes beside what they have. */
function setAttributes(database, orgId, logins, createAttributes) {
  return pastServer(database, async (query) => {
    for (const [index, login] of logins.entries()) {
      const [{ profile }] = await query("select profile from users where org_id = ? and login = ?", [orgId, login]);
      const changed = JSON.stringify({ ...JSON.parse(profile), ...createAttributes(index) });
      await query("update users set profile = ? where org_id = ? and login = ?", [changed, orgId, login]);
    }
  });
}

module.exports = { addRules, copyRow, findOrgId, pastServer, setAttributes };
