import { isatty } from "node:tty";

const SIGNALS = { SIGINT: 2, SIGTERM: 15 } as const;

/**
 * One signal often arrives twice: Ctrl-C and systemd signal every process of the group, and npm forwards its own. A
 * signal within this time after the first does not count as a second one.
 */
const ECHO_MS = 100;

/**
 * Wait for SIGINT or SIGTERM, then run `close`. A second signal ends the process at once, with the exit code that
 * shells use for that signal.
 */
export async function closeOnSignal(close: () => Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => {
    let first: number | undefined;
    for (const [signal, number] of Object.entries(SIGNALS)) {
      process.on(signal, () => {
        first ??= performance.now();
        if (performance.now() - first > ECHO_MS) process.exit(128 + number);
        resolve();
      });
    }
  });
  await close();
}

/**
 * Call `reload` at each SIGHUP. The system also sends it when the terminal of the process is closed; then the process ends
 * as at SIGTERM. Call it before the start, during which a SIGHUP would otherwise end the process.
 */
export function reloadOnSignal(reload: () => void): void {
  const hadTerminal = isatty(0);
  process.on("SIGHUP", () => {
    if (hadTerminal && !isatty(0)) process.kill(process.pid, "SIGTERM");
    else reload();
  });
}
