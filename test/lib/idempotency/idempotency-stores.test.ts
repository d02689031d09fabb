import {
  type IdempotencyStore,
  memoryIdempotencyStore,
  type MemoryIdempotencyStoreOptions,
  redisIdempotencyStore,
  sqlIdempotencyStore,
  type SqlIdempotencyStoreOptions,
} from "../../../lib/idempotency/idempotency-stores.js";
import { DATABASES } from "../../support/databases.js";
import { describeIf } from "../../support/requirements.js";

const HOUR = 3_600_000;

/** The commands that the store sends, as Redis carries them out. */
class FakeRedis {
  now = 0;
  readonly #entries = new Map<string, { value: string; expires: number }>();

  send = ([name, key = "", value = "", ...flags]: string[]): Promise<string | number | null> => {
    const known = this.#entries.get(key);
    const found = known !== undefined && known.expires > this.now ? known : undefined;
    if (name === "GET") return Promise.resolve(found?.value ?? null);
    if (name === "DEL") return Promise.resolve(Number(this.#entries.delete(key)));
    if (name !== "SET") throw new Error(`unknown command ${String(name)}`);
    if (flags.includes("NX") && found) return Promise.resolve(null);
    const lifetime = Number(flags[flags.indexOf("PX") + 1]);
    this.#entries.set(key, { value, expires: this.now + lifetime });
    return Promise.resolve("OK");
  };
}

interface Opened {
  readonly store: IdempotencyStore;
  readonly setTime: (now: number) => void;
}

function testStore(open: () => Promise<Opened>): void {
  let store: IdempotencyStore;
  let setTime: (now: number) => void;

  beforeEach(async () => {
    ({ store, setTime } = await open());
    setTime(0);
  });

  it("keeps the first value of a key, until it expires", async () => {
    await expect(store.add("joe.a", "first", HOUR)).resolves.toBeUndefined();
    await expect(store.add("joe.a", "second", HOUR)).resolves.toBe("first");
    setTime(HOUR - 1);
    await expect(store.add("joe.a", "third", HOUR)).resolves.toBe("first");
    setTime(HOUR);
    await expect(store.add("joe.a", "fourth", HOUR)).resolves.toBeUndefined();
    await expect(store.add("joe.a", "fifth", HOUR)).resolves.toBe("fourth");
  });

  it("keeps one of many values at a time", async () => {
    const added = await Promise.all(Array.from({ length: 20 }, (_, index) => store.add("joe.a", `${index}`, HOUR)));
    const kept = added.filter((known) => known === undefined);
    expect(kept).toHaveLength(1);
    expect(new Set(added.filter((known) => known !== undefined)).size).toBe(1);
  });

  it("replaces and forgets values, also of keys that it does not know", async () => {
    await store.add("joe.a", "first", HOUR);
    await store.set("joe.a", "ž\u0001'\"\n", HOUR);
    await expect(store.add("joe.a", "second", HOUR)).resolves.toBe("ž\u0001'\"\n");
    await store.delete("joe.a");
    await expect(store.add("joe.a", "third", HOUR)).resolves.toBeUndefined();
    await store.set("joe.b", "new", HOUR);
    await expect(store.add("joe.b", "other", HOUR)).resolves.toBe("new");
    await store.delete("joe.unknown");
  });
}

describe("memoryIdempotencyStore", () => {
  testStore(() => {
    let time = 0;
    const setTime = (now: number) => {
      time = now;
    };
    return Promise.resolve({ store: memoryIdempotencyStore({ now: () => time }), setTime });
  });

  const knows = async (store: IdempotencyStore, key: string): Promise<boolean> => {
    const known = await store.add(key, "probe", 1);
    if (known === undefined) await store.delete(key);
    return known !== undefined;
  };

  /** Takes 1,024 bytes with its key of five characters. */
  const KILOBYTE = "x".repeat(1_024 - 200 - 5);

  it("forgets what one principal stored first beyond `maxBytesPerPrincipal`, and nothing of others", async () => {
    const store = memoryIdempotencyStore({ maxBytesPerPrincipal: 3 * 1_024 });
    await store.set("ann.1", KILOBYTE, HOUR);
    for (const key of ["joe.1", "joe.2", "joe.3"]) await store.set(key, KILOBYTE, HOUR);
    expect(await knows(store, "joe.1")).toBe(true);
    await store.set("joe.4", "", HOUR);
    expect(await knows(store, "joe.1")).toBe(false);
    expect(await knows(store, "joe.2")).toBe(true);
    expect(await knows(store, "ann.1")).toBe(true);
  });

  it("forgets what was stored first beyond `maxBytes`", async () => {
    const store = memoryIdempotencyStore({ maxBytes: 2 * 1_024 });
    await store.set("ann.1", KILOBYTE, HOUR);
    await store.set("joe.1", KILOBYTE, HOUR);
    expect(await knows(memoryIdempotencyStore(), "ann.1")).toBe(false);
    await store.set("joe.2", KILOBYTE, HOUR);
    expect(await knows(store, "ann.1")).toBe(false);
    expect(await knows(store, "joe.2")).toBe(true);
  });

  it("removes what has expired when something new comes", async () => {
    let time = 0;
    const store = memoryIdempotencyStore({ maxBytes: 3 * 1_024, now: () => time });
    await store.set("ann.1", KILOBYTE, 10);
    await store.set("joe.1", KILOBYTE, HOUR);
    time = 10;
    await store.set("joe.2", KILOBYTE, HOUR);
    await store.set("joe.3", KILOBYTE, HOUR);
    expect(await knows(store, "joe.1")).toBe(true);
  });

  it.each([
    [{ maxBytes: 1_023 }, "`maxBytes` must be an integer from 1024 to 1073741824"],
    [{ maxBytesPerPrincipal: 1_073_741_825 }, "`maxBytesPerPrincipal` must be an integer from 1024 to 1073741824"],
    [{ now: 1 }, "`now` must be a function"],
    [{ size: 1 }, "`size` is unknown"],
  ])("refuses the options %j", (options, message) => {
    expect(() => memoryIdempotencyStore(options as MemoryIdempotencyStoreOptions)).toThrow(message);
  });
});

describe("redisIdempotencyStore", () => {
  testStore(() => {
    const redis = new FakeRedis();
    const setTime = (now: number) => {
      redis.now = now;
    };
    return Promise.resolve({ store: redisIdempotencyStore(redis.send), setTime });
  });

  it("takes replies in bytes", async () => {
    const store = redisIdempotencyStore(([name]) => Promise.resolve(name === "GET" ? Buffer.from("ž") : null));
    await expect(store.add("joe.a", "value", HOUR)).resolves.toBe("ž");
  });

  it("gives up on a key that is neither kept nor found", async () => {
    const commands: string[][] = [];
    const store = redisIdempotencyStore((command) => {
      commands.push(command);
      return Promise.resolve(null);
    }, "p:");
    await expect(store.add("joe.a", "value", HOUR)).rejects.toThrow("neither kept nor found");
    expect(commands).toHaveLength(6);
    expect(commands[0]).toEqual(["SET", "p:joe.a", "value", "NX", "PX", "3600000"]);
  });

  it("refuses wrong arguments", () => {
    expect(() => redisIdempotencyStore({} as never)).toThrow("`send` must be a function");
    expect(() => redisIdempotencyStore(() => Promise.resolve(), 1 as never)).toThrow("`prefix` must be a string");
  });
});

describe.each(DATABASES)("sqlIdempotencyStore on $name", ({ name, available, need, open }) => {
  describeIf(available, name, need, () => {
    const closers: (() => Promise<void>)[] = [];
    afterAll(async () => {
      for (const close of closers) await close();
    });

    testStore(async () => {
      const database = await open();
      closers.push(() => database.close());
      let time = 0;
      const store = sqlIdempotencyStore({
        dialect: database.dialect,
        connection: {
          run: (sql, parameters) => database.run(sql, parameters),
          all: (sql, parameters) => database.all(sql, parameters),
        },
        table: "keys_of_requests",
        now: () => time,
      });
      await database.run("DROP TABLE IF EXISTS keys_of_requests");
      for (const statement of [...store.schema, ...store.schema]) await database.run(statement);
      return { store, setTime: (now: number) => void (time = now) };
    });

    it("removes what has expired, ten keys at a time", async () => {
      const database = await open();
      closers.push(() => database.close());
      let time = 0;
      const store = sqlIdempotencyStore({
        dialect: database.dialect,
        connection: database,
        now: () => time,
      });
      await database.run("DROP TABLE IF EXISTS idempotency_keys");
      for (const statement of store.schema) await database.run(statement);
      for (let index = 0; index < 15; index++) await store.add(`joe.${index}`, "value", 10);
      time = 10;
      for (const left of [6, 2, 3]) {
        await store.add(`ann.${left}`, "value", HOUR);
        expect(await database.all("SELECT key FROM idempotency_keys")).toHaveLength(left);
      }
    });
  });
});

describe("sqlIdempotencyStore", () => {
  const connection = { run: () => undefined, all: () => [] };

  it("gives up on a key that is neither kept nor found", async () => {
    const store = sqlIdempotencyStore({ dialect: "sqlite", connection });
    await expect(store.add("joe.a", "value", HOUR)).rejects.toThrow("neither kept nor found");
  });

  it("says when `all` returns no rows", async () => {
    const store = sqlIdempotencyStore({
      dialect: "postgresql",
      connection: { ...connection, all: () => ({ rows: [] }) },
    });
    await expect(store.add("joe.a", "value", HOUR)).rejects.toThrow("must return or promise an array of rows");
  });

  it.each([
    [{ dialect: "mysql", connection }, '`dialect` must be "sqlite" or "postgresql"'],
    [{ dialect: "sqlite" }, "`connection` must be an object with the functions `run` and `all`"],
    [{ dialect: "sqlite", connection, table: "a; DROP TABLE b" }, "`table` must be the name of a table"],
  ])("refuses the options %j", (options, message) => {
    expect(() => sqlIdempotencyStore(options as SqlIdempotencyStoreOptions)).toThrow(
      `sqlIdempotencyStore: option ${message}`,
    );
  });
});
