import { readFileSync } from "node:fs";
import { join } from "node:path";
import { importText } from "../../src/transfer/import.js";
import { describeStores } from "../support/stores.js";

const EXAMPLE = readFileSync(join(__dirname, "../../../docs/examples/orgs.json"), "utf8");

describeStores((_engine, database) => {
  it("takes docs/examples/orgs.json", async () => {
    const store = await (await database()).open();
    expect(await importText(store, EXAMPLE)).toMatchObject({
      orgs: { created: 1 },
      rules: { created: 5 },
      routingTests: { created: 1 },
    });
  });
});
