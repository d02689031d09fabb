import { StoreError } from "../../store/contract/errors.js";
import { distributePostgres } from "../../store/engine/postgres-schema.js";
import type { Command } from "./command.js";
import { print } from "./output.js";
import { withStore } from "./with-store.js";

export const DISTRIBUTE: Command<undefined> = {
  name: "distribute",
  help: "distribute the tables of a PostgreSQL database over the workers of its Citus cluster, also while servers run",
  details: "See [distributed](../guides/distributed.md).",
  parse: () => undefined,
  async run(_, settings) {
    const { databaseUrl, listenUrl } = settings;
    if (databaseUrl === undefined) {
      throw new StoreError(
        "SQLite keeps everything in one file: distribute is for PostgreSQL with the extension citus",
      );
    }
    await withStore(settings, () => Promise.resolve()); // brings the schema up to date
    await distributePostgres(listenUrl ?? databaseUrl, print);
  },
};
