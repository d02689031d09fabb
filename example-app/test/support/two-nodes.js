"use strict";

/** Every server of a test is two on one database, see server.ts; on SQLite there is nothing to run twice. */
process.env.TEST_NODES = "2";
