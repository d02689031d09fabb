import { copyFileSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { describeIf } from "../../test/support/requirements.js";
import { insertApiToken } from "./support/api.js";
import { user } from "./support/documents.js";
import { importDocument } from "./support/server.js";
import { FENCES, SHELL_BLOCKS, runBlock } from "./support/shell-blocks.js";
import { CHECKS } from "./support/shell-checks.js";
import { HAS_SHELL, openShell, type ShellSession } from "./support/shell-session.js";
import { describeStores, makeFolder } from "./support/stores.js";

/** Every block of commands in the pages runs here, from top to bottom in the shell of one reader, except these. */
const NOT_RUN: readonly { page: string; title: string; reason: string }[] = [
  ...[
    { page: "README.md", title: "In your app" },
    { page: "docs/tutorials/new-api.md", title: "1. Install" },
  ].map((block) => ({ ...block, reason: "test/package installs the packed package, without a registry" })),
  {
    page: "docs/tutorials/new-api.md",
    title: "3. Try it",
    reason: "test/docs/tutorials/new-api.test.ts runs it and compares what it prints",
  },
  {
    page: "docs/guides/installing.md",
    title: "npm",
    reason: "test/package/installed.test.ts does that with the packed package",
  },
  ...["Back up", "Restore", "On PostgreSQL", "Move to PostgreSQL"].map((title) => ({
    page: "docs/guides/backup.md",
    title,
    reason: "program/operations/backup.test.ts runs it and compares the databases",
  })),
  ...["Container", "Compose", "systemd", "Commands of the service"].map((title) => ({
    page: "docs/guides/installing.md",
    title,
    reason: "it needs root; program/deployment.test.ts compares the files that it uses with the server",
  })),
  {
    page: "docs/guides/distributed.md",
    title: "Distribute a database",
    reason: "program/commands/distribute.test.ts runs it on a cluster",
  },
  ...["Add a worker", "A worker for one org"].map((title) => ({
    page: "docs/guides/distributed.md",
    title,
    reason: "store/rebalance.test.ts runs it on a cluster",
  })),
  {
    page: "docs/guides/scaling.md",
    title: "Several clusters",
    reason: "program/commands/move-org.test.ts runs it on two databases",
  },
  {
    page: "docs/guides/failover.md",
    title: "Replicas",
    reason: "monitoring/replica.test.ts starts servers with a replica",
  },
  {
    page: "docs/guides/scaling.md",
    title: "PgBouncer",
    reason: "store/pgbouncer.test.ts uses a PgBouncer of PGBOUNCER_URL",
  },
  {
    page: "docs/guides/monitoring.md",
    title: "Doctor",
    reason: "program/doctor/doctor.test.ts has such a domain and certificate",
  },
];

/** For PostgreSQL alone. The commands of the other pages are the same on every database. */
const POSTGRES = { page: "docs/guides/scaling.md", title: "Many nodes" };

/** What the page's words say beside its commands, done before its first command. */
const PREPARATIONS: Readonly<Record<string, (reader: Reader) => Promise<void> | void>> = {
  "docs/guides/orgs.md": ({ folder }) =>
    importDocument({ dataFolder: join(folder, "data") }, { orgs: [{ subdomain: "acme", name: "Acme" }] }),
  "docs/guides/import.md": ({ folder }) => {
    copyFileSync(join(__dirname, "../../docs/examples/orgs.json"), join(folder, "orgs.json"));
  },
  "docs/guides/personal-data.md": async ({ folder }) => {
    const users = [user("carol@example.org")];
    const document = { orgs: [{ subdomain: "demo", name: "Demonstration", users }] };
    await importDocument({ dataFolder: join(folder, "data") }, document);
  },
  "docs/reference/api/logs.md": async ({ folder, shell, actual }) => {
    const token = await insertApiToken({ dataFolder: join(folder, "data") }, "demo");
    const id = await shell.run(`TOKEN=${token}
      curl --cacert data/tls.crt --head https://localhost:8443/api/v1/users | sed -n 's/\\r//; s/^X-Svc-Request-Id: //p'
      sleep 1`);
    actual.set("019a8f3e-5d2c-7b41-9f6e-0c2d4b8a1e55", id.trim());
  },
};

interface Reader {
  readonly folder: string;
  readonly shell: ShellSession;
  /** What appeared in place of what the page shows: ids, tokens, addresses. */
  readonly actual: Map<string, string>;
}

const RUN = SHELL_BLOCKS.filter(
  ({ page, title }) => !NOT_RUN.some((other) => other.page === page && other.title === title),
);

test("each block that doesn't run is in a page", () => {
  expect(SHELL_BLOCKS.length - RUN.length).toBe(NOT_RUN.length);
});

test("no other block shows commands", () => {
  const kinds = new Set(FENCES.map(({ kind }) => kind));
  const languages = ["http", "js", "json", "text", "toml", "ts", "yaml"];
  const all = ["", "console", "diff", "ini", "sh", ...languages].toSorted();
  expect([...kinds].toSorted()).toEqual(all);
  for (const { text } of FENCES.filter(({ kind }) => kind !== "sh" && kind !== "console")) {
    expect(text).not.toMatch(/^(?:\$|npm|curl) /m);
  }
});

describeIf(HAS_SHELL, "the commands of the pages", "bash and curl", () => {
  describeStores((engine, database) => {
    const parent = makeFolder();
    const blocks = RUN.filter(({ page, title }) =>
      engine === "PostgreSQL" ? page === POSTGRES.page : title !== POSTGRES.title,
    );
    const pages = [...new Set(blocks.map(({ page }) => page))];
    const newFolder = () => mkdtempSync(join(parent, "page-"));

    /** For the pages that begin with no server of their own. */
    let running: ReturnType<typeof startServer> | undefined;

    async function startServer() {
      const folder = newFolder();
      const shell = openShell(folder, { ETIQUETTE_DEMO: "true" });
      await shell.run("npm start");
      return { folder, shell, port: (await shell.run('echo "$PORT"')).trim() };
    }

    afterAll(async () => {
      if (running) expect(await (await running).shell.close()).toBe("");
    });

    test.each(pages)(
      "do what %s says",
      async (page) => {
        const { databaseUrl = "" } = (await database()).options;
        const own = blocks.filter((block) => block.page === page);
        const startsServer = /^(?:\$ )?(?:npm start(?: -- --.*)?|npx etiquette-server)$/m.test(own[0]!.text);
        const { folder, port } = startsServer ? { folder: newFolder(), port: "" } : await (running ??= startServer());
        const shell = openShell(folder, { DATABASE_URL: databaseUrl, ETIQUETTE_DEMO: "true", PORT: port });
        const actual = new Map([
          ["postgres://etiquette@db.internal/etiquette", databaseUrl],
          ["ETIQUETTE_SECRETS=…", `ETIQUETTE_SECRETS=${"s".repeat(32)}`],
        ]);
        let stderr: string;
        try {
          await PREPARATIONS[page]?.({ folder, shell, actual });
          const outputs = new Map<string, string>();
          for (const block of own) {
            const output = await runBlock(shell, block, actual);
            if (!CHECKS[page]) expect(output).not.toContain('"errorCode"');
            outputs.set(block.title, (outputs.get(block.title) ?? "") + output);
          }
          CHECKS[page]?.(outputs);
        } finally {
          stderr = await shell.close();
        }
        expect(stderr).toBe("");
      },
      300_000,
    );
  });
});
