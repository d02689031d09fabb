import { createClient, insertApiToken } from "../../support/api.js";
import { createOnNodes, type ClusterDatabase } from "../../support/citus.js";
import { administrate, describeCitus, describePostgres, makeFolder, nameDatabase } from "../../support/stores.js";
import { runProgram, startTestServer } from "../../support/server.js";
import { user } from "../../support/documents.js";

const folder = makeFolder();

async function distribute(env: NodeJS.ProcessEnv) {
  const { output, exit } = runProgram(["distribute", "--data", folder], env);
  return { code: await exit, ...output };
}

it("refuses SQLite", async () => {
  expect(await distribute({})).toEqual({
    code: 1,
    stdout: "",
    stderr: "etiquette: SQLite keeps everything in one file: distribute is for PostgreSQL with the extension citus\n",
  });
});

describePostgres((_engine, database) => {
  it("refuses PostgreSQL without Citus", async () => {
    const { databaseUrl } = (await database()).options;
    const { code, stderr } = await distribute({ DATABASE_URL: databaseUrl });
    expect([code, stderr]).toEqual([1, expect.stringContaining("The database has no extension citus: install it")]);
  });
});

describeCitus(() => {
  const databases: ClusterDatabase[] = [];

  /** A database that holds orgs and is not distributed. */
  async function createOrdinary() {
    const database = await createOnNodes(nameDatabase());
    databases.push(database);
    const options = { databaseUrl: database.url, dataFolder: folder };
    const orgs = ["acme", "demo"].map((subdomain) => ({
      subdomain,
      name: subdomain,
      users: [user("joe@example.com"), user("mary@example.com")],
    }));
    const server = await startTestServer({ options }, {}, { orgs });
    return { ...database, options, server };
  }

  afterEach(async () => {
    for (const { drop } of databases.splice(0)) await drop();
  });

  it("distributes a database while a server uses it, and repeats it", async () => {
    const { url, join, options, server } = await createOrdinary();
    const client = createClient(server, "acme", await insertApiToken(options, "acme"));
    const created: string[] = [];
    const others: unknown[] = [];
    let isDone = false;
    const write = async (): Promise<void> => {
      for (let number = 0; !isDone; number++) {
        const login = `user${number}@example.com`;
        const profile = { login, email: "a@b.co", firstName: "A", lastName: "B" };
        const { status, headers } = await client.api("/users", { method: "POST", body: { profile } });
        if (status === 200) created.push(login);
        else if (status !== 503 || headers["retry-after"] === undefined) others.push(status);
      }
    };
    const writing = write();
    await join();
    const first = await distribute({ DATABASE_URL: url });
    isDone = true;
    await writing;
    await server.close();

    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toMatch(/^orgs: copied to every node in \d+ ms$/m);
    expect(first.stdout).toMatch(/^users: distributed by org_id in \d+ ms$/m);
    expect(first.stdout).toMatch(/\nAll tables are distributed\n$/);
    expect(others).toEqual([]);
    const users = (await administrate("select login from users", url)) as { login: string }[];
    expect(users.map(({ login }) => login)).toEqual(expect.arrayContaining(created));
    expect(created.length).toBeGreaterThan(10);
    expect(await distribute({ DATABASE_URL: url })).toEqual({
      code: 0,
      stdout: "All tables were distributed before\n",
      stderr: "",
    });
  }, 300_000);

  it("says why it refuses", async () => {
    const { url, join, server } = await createOrdinary();
    await server.close();
    const reason = async () => (await distribute({ DATABASE_URL: url })).stderr;

    await administrate("create extension citus", url);
    expect(await reason()).toContain("The cluster has no workers: add them with `select citus_add_node('HOST', PORT)`");
    await administrate("drop extension citus", url);

    await join();
    await administrate(
      "create table badges (org_id text, id text, constraint badge_user foreign key (org_id, id) references users)",
      url,
    );
    expect(await reason()).toContain(
      "The foreign key badge_user of badges, which is no table of the server, stands in the way",
    );
    await administrate("drop table badges", url);

    await administrate("select create_distributed_table('rate_counts', 'key')", url);
    expect(await reason()).toContain(
      "The table rate_counts was distributed unlogged: run `select undistribute_table('rate_counts')` before",
    );
  });
});
