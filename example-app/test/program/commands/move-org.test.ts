import { describeIf } from "../../../../test/support/requirements.js";
import { user } from "../../support/documents.js";
import { call, runProgram, startTestServer, webfingerPath } from "../../support/server.js";
import { runBlock, SHELL_BLOCKS } from "../../support/shell-blocks.js";
import { HAS_SHELL, openShell } from "../../support/shell-session.js";
import { describePostgres, makeFolder } from "../../support/stores.js";
import { exportAll } from "../../../src/transfer/export.js";
import { openStore } from "../../../src/store/store.js";

const folder = makeFolder();

const ORGS = ["acme", "globex"].map((subdomain) => ({
  subdomain,
  name: subdomain,
  domains: [`id.${subdomain}.example`],
  users: [user(`joe@${subdomain}.example`)],
}));

async function orgsOf(options: { dataFolder: string; databaseUrl?: string }) {
  const store = await openStore(options);
  const { orgs } = JSON.parse(await exportAll(store)) as { orgs: { subdomain: string }[] };
  await store.close();
  return orgs;
}

async function execute(args: string[]) {
  const { exit, output } = runProgram([...args, "--data", folder]);
  return { code: await exit, ...output };
}

it("export --org writes one org, and says when there is none", async () => {
  const server = await startTestServer({ options: { dataFolder: folder } }, {}, { orgs: ORGS });
  await server.close();
  const { stdout } = await execute(["export", "--org", "globex"]);
  expect(JSON.parse(stdout).orgs).toMatchObject([{ subdomain: "globex", domains: ["id.globex.example"] }]);
  expect(await execute(["export", "--org", "nobody"])).toEqual({
    code: 1,
    stdout: "",
    stderr: 'etiquette: There is no org with the subdomain "nobody"\n',
  });
}, 60_000);

describeIf(HAS_SHELL, "docs/guides/scaling.md", "bash", () => {
  describePostgres((_engine, database) => {
    it("moves an org to another cluster, with its ids and names", async () => {
      const [from, to] = [(await database()).options, (await database()).options];
      const server = await startTestServer({ options: from }, {}, { orgs: ORGS });
      const [acme, globex] = await orgsOf(from);
      const shell = openShell(folder, { FROM: from.databaseUrl, TO: to.databaseUrl });
      await runBlock(
        shell,
        SHELL_BLOCKS.find(({ title }) => title === "Several clusters")!,
      );
      await shell.close();

      expect(await orgsOf(to)).toEqual([acme]);
      expect(await orgsOf(from)).toEqual([globex]);
      const moved = await startTestServer({ options: to });
      const ask = (one: typeof server) =>
        call(one, webfingerPath("joe@acme.example"), { headers: { Host: "id.acme.example" } });
      expect((await ask(moved)).status).toBe(200);
      expect((await ask(server)).status).toBe(404);
      await Promise.all([server.close(), moved.close()]);
    }, 120_000);
  });
});
