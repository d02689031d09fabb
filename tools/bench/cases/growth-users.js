"use strict";

const { performance } = require("node:perf_hooks");
const { compare } = require("../compare.js");
const { formatRow } = require("../rows.js");
const { median } = require("../../kit/statistics.js");
const { requireCompiled } = require("../../kit/compiled.js");
const { createDatabase } = require("../stores/databases.js");
const { seedUsers } = require("../stores/seed.js");

const USERS = 1_000_000;

/** What a list of users is asked for, and what it is sorted by in its middle; pages of the default size without a limit. */
const LISTS = {
  all: { middle: "00u00000000000500000" },
  "all/limit-100": { limit: 100, middle: "00u00000000000500000" },
  "filter-status": { filter: 'status eq "ACTIVE"', middle: "00u00000000000500000" },
  "filter-updated": { filter: 'lastUpdated gt "2020-03-01T00:00:00.000Z"', middle: "2021-01-01T00:00:00.000Z" },
  "search-login": { search: 'profile.login sw "user.000000000000"', middle: "user.00000000000050000" },
  "sort-updated": { sortBy: "last_updated", direction: "desc", middle: "2020-12-01T00:00:00.000Z" },
  "sort-name": { sortBy: "last_name", middle: "Doe 3" },
};

const DEFAULT_LIMIT = 200;

/** Readings of each page before any counts: what comes first would look slow. */
const WARM_UP = 200;

/** The list that is held against OFFSET, which takes so long that one is enough. */
const OFFSET_LIST = "all";

module.exports = ["sqlite", "postgresql"].map((engine) => {
  const name = `growth/users/${engine}`;
  return { name, measure };

  async function measure() {
    const database = await createDatabase(engine);
    try {
      const orgId = await seedUsers(database, USERS);
      const store = await database.open();
      const rows = [];
      for (const [asked, list] of Object.entries(LISTS)) {
        rows.push(...(await measureList(`${name}/${asked}`, { store, orgId, list, hasOffset: asked === OFFSET_LIST })));
      }
      return rows;
    } finally {
      await database.drop();
    }
  }
});

/** Pages at the start, in the middle and at the end of one list, as the server reads them. */
async function measureList(name, { store, orgId, list, hasOffset }) {
  const { selectUsers } = requireCompiled("store/records/users.js");
  const { limit = DEFAULT_LIMIT } = list;
  const fetchLimit = limit + 1; // as the server asks, to know whether there is a next page
  const selection = createSelection(list);
  const select = (page) => selectUsers(store, orgId, selection, page);

  const places = {
    first: undefined,
    middle: selection.order.map((_, index) => (index === 0 ? list.middle : "")),
    last: await readLastPlace(store, orgId, selection, fetchLimit),
  };
  const subjects = Object.fromEntries(
    Object.entries(places).map(([place, after]) => [place, async () => select({ after, fetchLimit }).execute()]),
  );
  for (let round = 0; round < WARM_UP; round++) for (const read of Object.values(subjects)) await read();
  const { first, middle, last } = await compare(subjects);
  const row = (place, ours, peerName, peer) =>
    formatRow({ name: `${name}/${place}`, peerName, unit: "µs", samples: { ours, peer } });
  const rows = [row("middle", middle, "first page", first), row("last", last, "first page", first)];
  if (hasOffset) {
    const offset = (await countRows(store, select({ fetchLimit: USERS }))) - fetchLimit;
    const start = performance.now();
    await select({ fetchLimit }).offset(offset).execute();
    const elapsed = (performance.now() - start) * 1_000; // once is enough: seconds, where the others take milliseconds
    rows.push(row("last", [median(last)], `OFFSET ${offset}`, [elapsed]));
  }
  return rows;
}

/** As the server makes it of the query of a request. */
function createSelection({ filter, search, sortBy, direction = "asc" }) {
  const { chooseColumn } = requireCompiled("resources/users/selection.js");
  const { USERS_V1 } = requireCompiled("resources/users/views.js");
  const { compileFilterSql, parseFilter } = require("etiquette/filter");
  const text = filter ?? search;
  const parsed = text && parseFilter(text);
  const schema = filter ? USERS_V1.filterSchema : USERS_V1.searchSchema;
  const expression = parsed && {
    filter: parsed,
    schema,
    toSql: (dialect) => compileFilterSql(parsed, schema, dialect),
  };
  const column = sortBy ?? chooseColumn(parsed, USERS_V1);
  const columns = column === "id" ? ["id"] : [column, "id"];
  return { expression, order: columns.map((name) => ({ column: name, direction })) };
}

async function countRows(store, query) {
  const { count } = await store.reader
    .selectFrom(query.as("found"))
    .select(({ fn }) => fn.countAll().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The place after which one full page is left: found from the end of the list. */
async function readLastPlace(store, orgId, { expression, order }, fetchLimit) {
  const { selectUsers } = requireCompiled("store/records/users.js");
  const reversed = order.map(({ column, direction }) => ({ column, direction: direction === "asc" ? "desc" : "asc" }));
  const page = { fetchLimit: fetchLimit + 1 };
  const rows = await selectUsers(store, orgId, { expression, order: reversed }, page).execute();
  return order.map(({ column }) => rows.at(-1)[column]);
}
