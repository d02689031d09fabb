import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describeIf } from "../../test/support/requirements.js";
import { HOOK, listeningUrl, MAIN, runProgram, type TestProcess } from "./support/server.js";
import { describeStores, makeFolder } from "./support/stores.js";

/** The part of docs/server.md that shows what people do: its shell blocks work as they stand, from top to bottom. */
const PAGE = readFileSync(join(__dirname, "../../docs/server.md"), "utf8").split("\n## Commands\n")[0] ?? "";

const BLOCKS = PAGE.split(/^## /m).flatMap((section) =>
  Array.from(section.matchAll(/^```sh\n([^]*?)^```/gm), ([, text = ""]) => ({ title: section.split("\n")[0], text })),
);

const HAS_TOOLS = ["bash", "curl"].every((tool) => spawnSync(tool, ["--version"]).status === 0);

/** `npm start` in a shell, without the build. */
const NPM = `npm() { while [ "$1" != -- ]; do shift; done; shift; "${process.execPath}" --require "${HOOK}" "${MAIN}" "$@"; }`;

describeIf(HAS_TOOLS, "the commands of docs/server.md", "bash and curl", () => {
  const running: TestProcess[] = [];
  afterEach(async () => {
    for (const { child, exit } of running.splice(0)) {
      child.kill("SIGTERM");
      await exit;
    }
  });

  describeStores((_engine, database) => {
    const folder = makeFolder();

    test("do what the page says", async () => {
      const { databaseUrl } = (await database()).options;
      const env = {
        ETIQUETTE_DATA: join(folder, "data"),
        ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
      };

      /** Start a server on a free port. Returns the port that the page gives it, and its own. */
      async function serve(command: string): Promise<[string, string]> {
        const args = command.trim().split(" ").slice(3);
        const program = runProgram(
          [
            ...args
              .join(" ")
              .replace(/--port \d+ ?/, "")
              .split(" ")
              .filter(Boolean),
            "--port",
            "0",
          ],
          env,
        );
        running.push(program);
        return [/--port (\d+)/.exec(command)?.[1] ?? "8443", new URL(await listeningUrl(program)).port];
      }

      /** Run blocks in one shell. Returns what those of each section write. */
      async function run(blocks: typeof BLOCKS, [port, free]: [string, string]): Promise<Map<string, string>> {
        const script = blocks
          .map(({ title, text }) => `echo '@@${title}'\n${text}`)
          .join("\n")
          .replaceAll(port, free);
        const { stdout, stderr } = await promisify(execFile)("bash", ["-c", `set -eo pipefail\n${NPM}\n${script}`], {
          cwd: folder,
          env: { ...process.env, DATABASE_URL: "", NODE_OPTIONS: "", ...env },
        });
        expect(stderr).toBe("");
        const outputs = new Map<string, string>();
        for (const part of stdout.split("@@").slice(1)) {
          const [title = "", ...lines] = part.split("\n");
          outputs.set(title, (outputs.get(title) ?? "") + lines.join("\n"));
        }
        return outputs;
      }

      const [first, ...rest] = BLOCKS;
      const proxied = rest.findIndex(({ text }) => text.startsWith("npm start -- --http"));
      const outputs = await run(rest.slice(0, proxied), await serve(first?.text ?? ""));
      const read = (title: string) => String(outputs.get(title)).split("\n");
      const json = (line = "") => JSON.parse(line);

      expect(json(read("Route a domain to a provider")[0])).toMatchObject({
        subject: "svc:acct:dan@example.org",
        links: [{ rel: "svc:idp", titles: { und: "Example Organisation" } }],
      });
      const [trace, name] = read("See why a login goes where it goes");
      expect(json(trace).match).toMatchObject({ name: "example.org", conditions: [{ holds: true }] });
      expect(name).toBe("example.org");
      const [changed, off, on] = read("Change where a login goes").map((line) => (line === "" ? line : json(line)));
      expect(changed.conditions.userIdentifier.patterns).toHaveLength(2);
      expect([off.status, on.status]).toEqual(["INACTIVE", "ACTIVE"]);
      const added = read("Add an org");
      expect(added[0]).toBe("orgs: 1 created, 0 updated, 0 unchanged");
      expect(json(added.at(-1))).toMatchObject({ links: [{ titles: { und: "Acme employees" } }] });
      const [token, ...listed] = read("Hand out a token");
      expect(token).toMatch(/^[0-9a-f]{40}$/);
      expect(listed.filter((line) => line.includes("Nightly job"))).toHaveLength(1);
      expect(outputs.get("See what changed")).toMatch(/^\S+Z {2}My shell {2}policy\.rule\.add {2}example\.org$/m);

      const { text: command = "" } = rest[proxied] ?? {};
      const behind = await run(rest.slice(proxied + 1), await serve(command));
      expect(json(behind.get("Put the server behind a proxy"))).toMatchObject({
        links: [{ titles: { und: "Example Corporation" } }],
      });
    });
  });
});
