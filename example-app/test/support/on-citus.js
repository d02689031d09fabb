"use strict";

/** Every database of a test is one on a Citus cluster, see stores.ts. */
process.env.TEST_CITUS = "1";

/** Its connections are kept from test to test by a PgBouncer, if CITUS_PGBOUNCER_URL names one: a new one costs Citus 20 ms. */
process.env.TEST_POOL = "1";
