import cluster from "node:cluster";
import { createLog } from "../process/log.js";
import { createReload } from "../process/reload.js";
import { closeOnSignal, reloadOnSignal } from "../process/signals.js";
import { start, type StartedServer } from "../process/start.js";
import { announceWorker, startWorkers } from "../process/workers.js";
import type { Command, Given } from "./command.js";
import { print, tell } from "./output.js";

/** Said when the base domain has no org. */
const NO_ORG = "No org is served on the base domain: import one, or start with --demo on an empty database";

/** Serve until a signal arrives. The line on standard output is for programs that wait for the server. */
export const SERVE: Command<Pick<Given, "given" | "read">> = {
  name: "serve",
  isDefault: true,
  help: "serve",
  parse: ({ given, read }) => ({ given, read }),
  async run({ given, read }, settings) {
    const log = createLog(settings.logLevel);
    const isParent = settings.workers > 1 && cluster.isPrimary;
    const starting = isParent ? startWorkers(settings, log) : start(settings, log, process.stderr.isTTY);
    const reloadSettings = createReload({ given, settings }, { read, log, isTold: !cluster.isWorker });
    reloadOnSignal(
      () =>
        void starting.then(
          ({ reload }) => {
            reload(reloadSettings());
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
  },
};

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
