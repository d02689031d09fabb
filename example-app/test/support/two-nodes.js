"use strict";

/** Every server of a test is two on one database, see server.ts; on SQLite there is nothing to run twice. */
process.env.TEST_NODES = "2";

/** PgBouncer is in between, if PGBOUNCER_URL names one: nothing of a session may be needed. */
process.env.TEST_POOL = "1";
