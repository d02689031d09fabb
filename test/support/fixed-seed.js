"use strict";

/** A property tries the same values in every run, so a run without changes ends as the one before. */
require("fast-check").configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 1) });
