"use strict";

/** Under mutation a property is tried twenty times: thousands of mutants wait. */
require("fast-check").configureGlobal({ numRuns: 20 });
