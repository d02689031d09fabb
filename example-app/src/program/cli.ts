import cluster from "node:cluster";
import { compileNamespace } from "etiquette/namespace";
import { scopePrefix } from "../model/scopes.js";
import { ListenError } from "../server.js";
import { StoreError } from "../store/errors.js";
import { openStore, type Store } from "../store/store.js";
import { exportAll } from "../transfer/export.js";
import { ImportError } from "../transfer/faults.js";
import { formatSummary, importFile } from "../transfer/import.js";
import { backup, restore } from "./backup.js";
import { formatHelp, parseCommandLine, type Command } from "./command-line.js";
import { replaceFile } from "./files.js";
import { createLog } from "./log.js";
import { SettingsError, type Settings } from "./settings.js";
import { closeOnSignal } from "./signals.js";
import { start } from "./start.js";
import { createToken, formatTokens, revokeToken, TokenError } from "./tokens.js";
import { announceWorker, startWorkers } from "./workers.js";

/** Exit code of a command that failed. */
const FAILURE = 1;

const FAILURES = [StoreError, ListenError, ImportError, TokenError];

/** Exit code for wrong arguments, as usual on Unix. */
const WRONG_USE = 2;

/**
 * Run one command. Output for programs goes to standard output, everything else to standard error.
 *
 * @returns the exit code
 */
export async function run(args: readonly string[], env: Readonly<NodeJS.ProcessEnv>): Promise<number> {
  try {
    await execute(parseCommandLine(args, env));
    return 0;
  } catch (error) {
    if (error instanceof SettingsError) return fail(error.message, WRONG_USE);
    if (FAILURES.some((kind) => error instanceof kind)) return fail((error as Error).message, FAILURE);
    throw error;
  }
}

async function execute(command: Command): Promise<void> {
  switch (command.name) {
    case "help":
      print(formatHelp());
      return;
    case "serve":
      return serve(command.settings);
    case "import":
      return withStore(command.settings, async (store, orgType) => {
        const summary = await importFile(store, command.file, { orgType });
        print(formatSummary(summary));
      });
    case "export":
      return withStore(command.settings, async (store, orgType) => {
        const text = await exportAll(store, { orgType });
        if (command.file === undefined) process.stdout.write(text);
        else await replaceFile(command.file, text);
      });
    case "backup":
      print(await backup(command.settings, command.file, command.withSecrets));
      return;
    case "restore":
      print(await restore(command.settings, command.file));
      return;
    case "token create":
      return withStore(command.settings, async (store) => {
        print(await createToken(store, command.request));
      });
    case "token list":
      return withStore(command.settings, async (store) => {
        print(await formatTokens(store, command.org, scopePrefix(command.settings.namespace)));
      });
    case "token revoke":
      return withStore(command.settings, (store) => revokeToken(store, command.org, command.id));
  }
}

/** Serve until a signal arrives. The line on standard output is for programs that wait for the server. */
async function serve(settings: Settings): Promise<void> {
  const log = createLog(settings.logLevel);
  const isParent = settings.workers > 1 && cluster.isPrimary;
  const server = await (isParent ? startWorkers(settings.workers, log) : start(settings, log));
  const { url, example, firstToken, close } = server;
  const closed = closeOnSignal(close); // before the example invites anybody to send signals
  if (example !== undefined && !cluster.isWorker) process.stderr.write(`Try it: ${example}\n`);
  if (firstToken !== undefined) process.stderr.write(`${firstToken}\n`);
  if (cluster.isWorker) announceWorker(server);
  else print(`etiquette listening on ${url}`);
  await closed;
}

async function withStore(
  { databaseUrl, dataFolder, namespace }: Settings,
  work: (store: Store, orgType: string) => Promise<void>,
): Promise<void> {
  const store = await openStore({ databaseUrl, dataFolder });
  try {
    await work(store, compileNamespace("settings", namespace).value);
  } finally {
    await store.close();
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function fail(message: string, code: number): number {
  process.stderr.write(`etiquette: ${message}\n`);
  return code;
}
