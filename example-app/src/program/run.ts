import cluster from "node:cluster";
import { createInterface } from "node:readline/promises";
import { compileNamespace } from "etiquette/namespace";
import { recordInLogs } from "../audit/command-events.js";
import { scopePrefix } from "../model/scopes.js";
import { escapeLines } from "../model/visible-text.js";
import { ListenError } from "../listen.js";
import { StoreError } from "../store/contract/errors.js";
import { distributePostgres } from "../store/engine/postgres-schema.js";
import { openStore, type Store } from "../store/store.js";
import { exportAll } from "../transfer/export.js";
import { ImportError } from "../transfer/faults.js";
import { formatSummary, importFile, rehearseFile } from "../transfer/import.js";
import { backup, restore } from "./operations/backup.js";
import { formatHelp, parseCommandLine, type Command } from "./command-line.js";
import { assertHealthy, DoctorError, examine, formatFindings } from "./doctor/doctor.js";
import { EraseError, eraseUser } from "./operations/erase.js";
import { replaceFile } from "./secrets/files.js";
import { createLink } from "./operations/console-link.js";
import { createLog } from "./process/log.js";
import type { OrgCommand } from "./commands/org-commands.js";
import { activateOrg, describeContent, formatOrgs, OrgError, removeOrg, suspendOrg } from "./operations/orgs.js";
import { SettingsError, type Settings } from "./settings/settings.js";
import { closeOnSignal, reloadOnSignal } from "./process/signals.js";
import { start, type StartedServer } from "./process/start.js";
import { createToken, findOrg, formatTokens, revokeToken, TokenError } from "./operations/tokens.js";
import { announceWorker, startWorkers } from "./process/workers.js";

/** Exit code of a command that failed. */
const FAILURE = 1;

const FAILURES = [StoreError, ListenError, ImportError, TokenError, EraseError, OrgError, DoctorError];

/** Said when the base domain has no org. */
const NO_ORG = "No org is served on the base domain: import one, or start with --demo on an empty database";

/** The last line of an import that only says what it would do. */
const DRY_RUN = "This was a dry run: nothing has changed";

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
        const options = { orgType, defaultOrg: command.settings.defaultOrg };
        if (!command.isDryRun) print(formatSummary(await importFile(store, command.file, options)));
        else for (const line of [...(await rehearseFile(store, command.file, options)), DRY_RUN]) print(line);
      });
    case "export":
      return withStore(command.settings, async (store, orgType) => {
        const orgId = command.org === undefined ? undefined : (await findOrg(store, command.org)).id;
        const text = await exportAll(store, { orgType, orgId, pseudonymize: command.pseudonymize });
        await recordInLogs(store, "export", orgId);
        if (command.file === undefined) process.stdout.write(text);
        else await replaceFile(command.file, text);
      });
    case "distribute":
      return distribute(command.settings);
    case "doctor": {
      const findings = await examine(command.settings);
      print(command.asJson ? JSON.stringify(findings, null, 2) : formatFindings(findings));
      assertHealthy(findings);
      return;
    }
    case "erase":
      return withStore(command.settings, async (store) => {
        print(await eraseUser(store, command.request));
      });
    case "backup":
      print(await backup(command.settings, command.file, command.withSecrets));
      return;
    case "restore":
      print(await restore(command.settings, command.file));
      return;
    case "console":
      return withStore(command.settings, async (store) => {
        print(await createLink(store, command.org, command.settings));
      });
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
    default:
      return withStore(command.settings, (store) => executeOnOrgs(store, command));
  }
}

async function executeOnOrgs(store: Store, command: OrgCommand & { readonly settings: Settings }): Promise<void> {
  if (command.name === "org list") {
    print(await formatOrgs(store));
    return;
  }
  const request = { org: command.org, defaultOrg: command.settings.defaultOrg };
  if (command.name !== "org remove") {
    return command.name === "org suspend" ? suspendOrg(store, request) : activateOrg(store, request);
  }
  const content = await describeContent(store, request);
  if (command.isDryRun) {
    print(`This would be removed:\n${content}`);
    return;
  }
  if (!command.isConfirmed) await confirmRemoval(content, command.org);
  await removeOrg(store, request);
  print(`Removed:\n${content}`);
}

/** Ask for the name of the org on the terminal. */
async function confirmRemoval(content: string, org: string): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new SettingsError("org remove needs --yes where it can't ask; --dry-run shows what it would remove");
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(
    `${escapeLines(content)}\nThis can't be undone. Type ${org} to remove all of it: `,
  );
  terminal.close();
  if (answer.trim() !== org) throw new OrgError("Nothing was removed");
}

/** Bring the schema up to date and distribute the tables. */
async function distribute(settings: Settings): Promise<void> {
  const { databaseUrl, listenUrl } = settings;
  if (databaseUrl === undefined) {
    throw new StoreError("SQLite keeps everything in one file: distribute is for PostgreSQL with the extension citus");
  }
  await withStore(settings, () => Promise.resolve());
  await distributePostgres(listenUrl ?? databaseUrl, print);
}

/** Serve until a signal arrives. The line on standard output is for programs that wait for the server. */
async function serve(settings: Settings): Promise<void> {
  const log = createLog(settings.logLevel);
  const isParent = settings.workers > 1 && cluster.isPrimary;
  const starting = isParent ? startWorkers(settings, log) : start(settings, log, process.stderr.isTTY);
  reloadOnSignal(
    () =>
      void starting.then(
        ({ reload }) => {
          reload();
        },
        () => undefined,
      ),
  );
  const server = await starting;
  const closed = closeOnSignal(server.close); // before the example invites anybody to send signals
  if (cluster.isWorker) {
    announceWorker(server);
    if (server.firstAccess !== undefined) tell(server.firstAccess); // the parent knows only what all workers know
  } else {
    announce(server);
  }
  await closed;
}

function announce({ url, example, firstAccess, terminalText, adminUrl }: StartedServer): void {
  if (adminUrl !== undefined) tell(`Probes and metrics: ${adminUrl}/readyz and ${adminUrl}/metrics`);
  if (terminalText !== undefined && process.stdout.isTTY && process.stderr.isTTY) {
    print(terminalText);
    return;
  }
  tell(example === undefined ? NO_ORG : `Try it: ${example}`);
  if (firstAccess !== undefined) tell(firstAccess);
  print(`etiquette listening on ${url}`);
}

async function withStore(
  { databaseUrl, listenUrl, dataFolder, namespace, quotas }: Settings,
  work: (store: Store, orgType: string) => Promise<void>,
): Promise<void> {
  const store = await openStore({ databaseUrl, listenUrl, dataFolder, quotas });
  try {
    await work(store, compileNamespace("settings", namespace).value);
  } finally {
    await store.close();
  }
}

function tell(text: string): void {
  process.stderr.write(`${escapeLines(text)}\n`);
}

function print(text: string): void {
  process.stdout.write(`${escapeLines(text)}\n`);
}

function fail(message: string, code: number): number {
  tell(`etiquette: ${message}`);
  return code;
}
