import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from "node:child_process";
import { programFile } from "./server.js";

export const HAS_SHELL = ["bash", "curl"].every((tool) => spawnSync(tool, ["--version"]).status === 0);

const MARK = "@@done@@";

/**
 * `npm start` without the build, and `npx etiquette-server` without a registry. A server runs in the background, on a free port of the loopback, until the next one
 * starts. `curl` finds that port in place of those that the pages name.
 */
const PRELUDE = `
set -eo pipefail
npm() {
  while [ $# -gt 0 ] && [ "$1" != -- ]; do shift; done
  if [ $# -gt 0 ]; then shift; fi
  etiquette_server "$@"
}
npx() { shift; etiquette_server "$@"; }
etiquette_server() {
  local args=() word previous=
  case "$1" in
    import | export | backup | restore | token | org | erase | console | distribute | migrate) "$NODE" "$MAIN" "$@" < /dev/null; return ;;
  esac
  for word in "$@"; do
    case "$previous" in --port) word=0 ;; --host) word=127.0.0.1 ;; esac
    args+=("$word"); previous=$word
  done
  stop
  : > server.out
  "$NODE" "$MAIN" "\${args[@]}" > server.out 2> server.err < /dev/null &
  SERVER=$!
  until grep -q listening server.out; do
    kill -0 "$SERVER" 2> /dev/null || { cat server.err >&2; return 1; }
    sleep 0.1
  done
  PORT=$(sed 's/.*://' server.out)
}
curl() { local args=("\${@//:8443/:$PORT}"); command curl --silent --show-error "\${args[@]//:8080/:$PORT}"; }
stop() { if [ -n "$SERVER" ]; then kill "$SERVER" 2> /dev/null || true; wait "$SERVER" || true; fi; SERVER=; }
trap stop EXIT
`;

/** A reader's shell: bash, in which commands run one after the other. */
export interface ShellSession {
  /** Run commands; what they print on the standard output. Rejects with the standard error if one of them fails. */
  readonly run: (commands: string) => Promise<string>;
  /** Stop the server. Resolves with everything on the standard error. */
  readonly close: () => Promise<string>;
}

export function openShell(folder: string, env: NodeJS.ProcessEnv): ShellSession {
  const shell: ChildProcessWithoutNullStreams = spawn("bash", [], {
    cwd: folder,
    env: {
      ...process.env,
      NODE_OPTIONS: "",
      DATABASE_URL: "",
      ETIQUETTE_PORT: "0",
      NODE: process.execPath,
      MAIN: programFile(),
      ...env,
    },
  });
  let [stdout, stderr] = ["", ""];
  const closed = new Promise<void>((resolve) => shell.once("close", resolve));
  shell.stdin.on("error", () => undefined); // after a command that failed, which the close tells
  shell.stderr.on("data", (chunk) => (stderr += String(chunk)));
  shell.stdout.on("data", (chunk) => {
    stdout += String(chunk);
    shell.stdout.emit("text");
  });
  shell.stdin.write(PRELUDE);

  async function run(commands: string): Promise<string> {
    stdout = "";
    shell.stdin.write(`${commands}\necho '${MARK}'"$PORT"\n`);
    const pattern = new RegExp(`${MARK}(\\d*)\n$`);
    let found: RegExpExecArray | null;
    while ((found = pattern.exec(stdout)) === null) {
      const ended = await Promise.race([
        closed.then(() => true),
        new Promise<false>((resolve) =>
          shell.stdout.once("text", () => {
            resolve(false);
          }),
        ),
      ]);
      if (ended) throw new Error(`${commands}\n${stdout}${stderr}`);
    }
    const [, port = ""] = found;
    const printed = stdout.slice(0, found.index);
    return port === "" ? printed : printed.replaceAll(`:${port}`, ":8443");
  }

  return {
    run,
    async close() {
      shell.stdin.end();
      await closed;
      return stderr;
    },
  };
}
