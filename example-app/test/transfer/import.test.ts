import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Store } from "../../src/store/store.js";
import { formatSummary, importFile } from "../../src/transfer/import.js";
import { MAX_FILE_BYTES } from "../../src/transfer/read-text.js";
import { makeFolder } from "../support/stores.js";

const none = { created: 0, updated: 0, unchanged: 0 };

const folder = makeFolder();

describe("the size of a file", () => {
  it.each([-1, 0, 1])(
    "is limited to 128 MiB: %i more",
    async (more) => {
      const path = join(folder, "large.json");
      writeFileSync(path, "");
      truncateSync(path, MAX_FILE_BYTES + more);
      const failure = await importFile({} as Store, path).catch((error: unknown) => (error as Error).message);
      expect(failure).toBe(
        more > 0
          ? `${path}:1: is too large: 134217729 bytes; at most 134217728 are allowed`
          : `${path}:1: is not JSON: Invalid symbol`,
      );
    },
    60_000,
  );
});

describe("formatSummary", () => {
  it("has a line for each kind in the file", () => {
    const summary = {
      orgs: { ...none, unchanged: 1 },
      idps: none,
      zones: none,
      trustedOrigins: none,
      issuers: none,
      rules: { created: 2, updated: 1, unchanged: 0 },
      routingTests: none,
      users: none,
    };
    expect(formatSummary(summary)).toBe(
      "orgs: 0 created, 0 updated, 1 unchanged\nrules: 2 created, 1 updated, 0 unchanged",
    );
  });
});
