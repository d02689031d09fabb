"use strict";

const { default: Sequencer } = require("@jest/test-sequencer");

/** The files that take longest, from 150 seconds to 15. */
const LONGEST = [
  "example-app/test/store/replica.test.ts",
  "example-app/test/program/program.test.ts",
  "example-app/test/audit/log-limits.stores.test.ts",
  "example-app/test/audit/request-events.stores.test.ts",
  "example-app/test/shell-pages.test.ts",
  "example-app/test/console/records.test.ts",
  "example-app/test/console/rules.test.ts",
  "example-app/test/program/operations/backup.test.ts",
  "example-app/test/slowest-input.test.ts",
  "test/package/bundles.test.ts",
  "test/package/consumer-types.test.ts",
  "test/lib/server/connection-limits.test.ts",
];

/** On a first run Jest knows how large files are, not how long they take; the longest would leave the other workers idle at the end. */
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
