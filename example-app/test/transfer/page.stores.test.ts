import { readFileSync } from "node:fs";
import { join } from "node:path";
import { importText } from "../../src/transfer/import.js";
import { describeStores } from "../support/stores.js";

const PAGE = readFileSync(join(__dirname, "../../../docs/guides/import.md"), "utf8");

describeStores((_engine, database) => {
  it("takes the example of docs/guides/import.md", async () => {
    const example = /^```json\n([^]*?)^```/m.exec(PAGE)![1]!;
    const store = await (await database()).open();
    expect(await importText(store, example)).toMatchObject({ orgs: { created: 1 }, rules: { created: 5 } });
  });
});
