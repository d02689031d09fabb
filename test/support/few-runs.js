"use strict";

const fc = require("fast-check");

/** Under mutation a property is tried twenty times: thousands of mutants wait. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: 20 });
