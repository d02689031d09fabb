"use strict";

const { default: Sequencer } = require("@jest/test-sequencer");

/** The files that take longest, from two minutes to half of one. */
const LONGEST = [
  "example-app/test/upgrade/rolling.test.ts",
  "example-app/test/store/replica.test.ts",
  "example-app/test/store/rebalance.test.ts",
  "example-app/test/console/records.test.ts",
  "example-app/test/console/rules.test.ts",
  "example-app/test/slowest-input.test.ts",
  "example-app/test/console/users.test.ts",
  "example-app/test/console/what-if.test.ts",
  "test/docs/guides/proxies.test.ts",
  "test/docs/site.test.ts",
  "test/package/consumer-types.test.ts",
  "example-app/test/console/try-login.test.ts",
  "example-app/test/audit/log-limits.stores.test.ts",
  "example-app/test/program/program.test.ts",
  "example-app/test/shell-pages.test.ts",
];

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    if (sorted.some(({ duration }) => duration !== undefined)) return sorted;
    return sorted.toSorted((a, b) => place(a) - place(b));
  }
};

/** Where a file is in the list, or after all of them. */
function place({ path }) {
  const index = LONGEST.findIndex((file) => path.endsWith(`/${file}`));
  return index === -1 ? LONGEST.length : index;
}

module.exports.LONGEST = LONGEST;
