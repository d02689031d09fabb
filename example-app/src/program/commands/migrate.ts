import { inspectDatabase } from "../../store/inspect/inspect.js";
import { planMigrations, type PlannedStep } from "../../store/inspect/plan.js";
import { judgeNodes } from "../../store/schema/nodes.js";
import { SCHEMA_VERSION } from "../../store/schema/versions.js";
import { openStore } from "../../store/store.js";
import type { Settings } from "../settings/settings.js";
import type { Command } from "./command.js";
import { print } from "./output.js";

export const MIGRATE: Command<{ isDryRun: boolean }> = {
  name: "migrate",
  flags: { "dry-run": {} },
  help: "bring the schema up to date, also while servers run on PostgreSQL; with --dry-run say what that would do",
  details: "See [upgrading](../guides/upgrading.md).",
  parse: ({ flags }) => ({ isDryRun: flags.has("dry-run") }),
  async run({ isDryRun }, settings) {
    if (isDryRun) await describe(settings);
    else await migrate(settings);
  },
};

async function migrate({ databaseUrl, listenUrl, dataFolder, quotas }: Settings): Promise<void> {
  const store = await openStore({ databaseUrl, listenUrl, dataFolder, quotas, reportMigration: print });
  const { newer } = store;
  await store.close();
  const found = newer.length === 0 ? "" : `; the database is one version newer (${newer.join(", ")})`;
  print(`The schema has version ${SCHEMA_VERSION}${found}`);
}

async function describe({ databaseUrl, dataFolder }: Settings): Promise<void> {
  const inspection = await inspectDatabase(databaseUrl, dataFolder);
  const { schema, missing = [], nodes = [], refusal } = inspection ?? {};
  if (refusal !== undefined) {
    print(`The database ${refusal}: update the server`);
    return;
  }
  const from = schema === undefined ? "an empty database" : `version ${schema}`;
  print(`From ${from} to version ${SCHEMA_VERSION} of the schema: ${missing.length} steps`);
  const obstacle = judgeNodes(nodes);
  if (obstacle !== undefined) print(obstacle);
  for (const step of await planMigrations(missing, databaseUrl)) print(formatStep(step));
}

function formatStep({ name, effect, statements, tables }: PlannedStep): string {
  const sizes = tables.map((table) => `  ${table.name} has ${formatBytes(table.bytes)}`);
  return [`${name}: ${effect}`, ...statements.map((statement) => `  ${statement}`), ...sizes].join("\n");
}

function formatBytes(bytes: number): string {
  const mib = bytes / 1_048_576;
  return mib < 1 ? "less than 1 MiB" : `${Math.round(mib)} MiB`;
}
