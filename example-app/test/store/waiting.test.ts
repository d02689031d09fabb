import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { Kysely, PostgresDialect, sql } from "kysely";
import { isUnavailable } from "../../src/store/contract/errors.js";
import { shareConnections } from "../../src/store/engine/postgres-connections.js";
import { openStore } from "../../src/store/store.js";
import { until } from "../../../test/support/until.js";

/** Messages of PostgreSQL: AuthenticationOk, and ReadyForQuery outside of a transaction. */
const READY = Buffer.from("520000000800000000" + "5a0000000549", "hex");

describe("PostgreSQL that accepts connections and says nothing", () => {
  let server: Server;
  let sockets: Socket[];
  let url: string;

  /** @param greets whether it lets clients in before it falls silent */
  async function startSilent(greets: boolean): Promise<void> {
    sockets = [];
    server = createServer((socket) => {
      sockets.push(socket.on("error", () => undefined));
      if (greets) socket.once("data", () => socket.write(READY));
      socket.resume();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    url = `postgres://joe:secret@127.0.0.1:${(server.address() as AddressInfo).port}/test`;
  }

  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it("ends a start with one line", async () => {
    await startSilent(false);
    await expect(openStore({ databaseUrl: url, dataFolder: "" })).rejects.toMatchObject({
      name: "StoreError",
      message: expect.stringMatching(/^The database postgres:\/\/joe@127\.0\.0\.1:\d+\/test can't be opened: .*time/),
    });
  });

  it("loses a query as unavailable, and its connection", async () => {
    await startSilent(true);
    const connections = shareConnections({ connectionString: url, query_timeout: 100, max: 1 });
    const db = new Kysely<never>({ dialect: new PostgresDialect({ pool: connections }) });
    for (let count = 1; count <= 3; count++) {
      const error: unknown = await sql`select 1`.execute(db).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Error);
      expect(isUnavailable(error)).toBe(true);
      expect(sockets).toHaveLength(count);
    }
    const error: unknown = await db
      .transaction()
      .execute((transaction) => sql`select 1`.execute(transaction))
      .catch((reason: unknown) => reason);
    expect(isUnavailable(error)).toBe(true);
    await until(() => sockets.every(({ closed }) => closed));
    await db.destroy();
  });

  it("lets nobody wait for ever for a connection, and closes", async () => {
    await startSilent(true);
    const connections = shareConnections({ connectionString: url, connectionTimeoutMillis: 100, max: 1 });
    const held = await connections.connect();
    const waiting = connections.connect().catch((reason: unknown) => reason);
    expect(connections.usage().waiting).toBe(1);
    expect(isUnavailable(await waiting)).toBe(true);
    expect(connections.usage().waiting).toBe(0);
    held.release();
    await connections.end();
    await until(() => sockets.every(({ closed }) => closed));
  });
});
