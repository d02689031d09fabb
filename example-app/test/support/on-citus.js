"use strict";

/** Every database of a test is one on a Citus cluster, see stores.ts. */
process.env.TEST_CITUS = "1";
