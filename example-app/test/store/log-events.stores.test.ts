import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { appendLogEvents } from "../../src/store/log/events.js";
import type { Store } from "../../src/store/store.js";
import type { WriteTransaction } from "../../src/store/contract/transaction.js";
import { createClient, insertApiToken, type ApiClient } from "../support/api.js";
import { buildEvent, formatQuery } from "../support/logs.js";
import { startTestServer, type TestServer } from "../support/server.js";
import { createOrg, describeStores, type TestDatabase } from "../support/stores.js";

/** A point that one side waits for and the other lets go. */
function createGate(): { passed: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { passed, open };
}

const titled = (title: string) => [buildEvent({ eventType: "test.event", displayMessage: title })];

describeStores((engine, database) => {
  let data: TestDatabase;
  let store: Store;
  let orgId: string;

  beforeEach(async () => {
    data = await database();
    store = await data.open();
    orgId = (await createOrg(store, { subdomain: "demo", name: "Demo" })).id;
  });

  const append = (into: Store, title: string): Promise<void> =>
    into.write((transaction) => appendLogEvents(transaction, orgId, titled(title)));

  const listRows = (from = store) =>
    from.reader.selectFrom("log_events").selectAll().orderBy("published").orderBy("sequence").execute();

  describe("appendLogEvents", () => {
    it("numbers the events of an org without gaps, in the order given, across transactions", async () => {
      await store.write((transaction) => appendLogEvents(transaction, orgId, []));
      const events = Array.from({ length: 250 }, (_, i) => buildEvent({ displayMessage: `event ${i}` }, `id ${i}`));
      await store.write((transaction) => appendLogEvents(transaction, orgId, events));
      await store.write((transaction) => appendLogEvents(transaction, orgId, events.slice(0, 1)));
      const rows = await listRows();
      expect(rows.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 251 }, (_, i) => i + 1));
      expect(rows.slice(0, 250).map(({ event }) => JSON.parse(event))).toEqual(events);
      expect(new Set(rows.map(({ uuid }) => uuid)).size).toBe(251);
      expect(rows[7]).toMatchObject({ event_type: "user.lifecycle.create", severity: "INFO", request_id: "id 7" });
    });

    it("never goes back in time, whatever the clock of a node says", async () => {
      for (const time of ["2026-03-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z", "2026-03-02T00:00:00.000Z"]) {
        await append(await data.open({ clock: () => new Date(time) }), time);
      }
      expect((await listRows()).map(({ published }) => published)).toEqual([
        "2026-03-01T00:00:00.000Z",
        "2026-03-01T00:00:00.000Z",
        "2026-03-02T00:00:00.000Z",
      ]);
    });

    it("keeps what no database holds as U+FFFD, and all other text as it is", async () => {
      const text = "\u0000 \ud800 \udc00 \\u0000 \\ud800 \ud83d\ude00 ' \" \\ \u2028 é \n";
      await append(store, text);
      const [row] = await listRows();
      const kept = text.replace("\u0000 \ud800 \udc00", "\ufffd \ufffd \ufffd");
      expect(JSON.parse(row!.event).displayMessage).toBe(kept);
      expect(row!.search_text).toContain(kept.toLowerCase());
      const { member } = { member: sql<string>`${store.dialect.memberOf("event", "displayMessage")}` };
      const { rows } = await sql<{ text: string }>`select ${member} as text from log_events`.execute(store.reader);
      expect(rows).toEqual([{ text: kept }]);
    });

    it("leaves nothing of a transaction that fails, not even a gap", async () => {
      await expect(
        store.write(async (transaction) => {
          await appendLogEvents(transaction, orgId, titled("lost"));
          throw new Error("no");
        }),
      ).rejects.toThrow("no");
      await append(store, "first");
      expect(await listRows()).toMatchObject([{ sequence: 1 }]);
    });
  });

  describe("with a poller", () => {
    let server: TestServer;
    let client: ApiClient;
    beforeEach(async () => {
      server = await startTestServer(data);
      client = createClient(server, "demo", await insertApiToken(data.options, "demo"));
    });
    afterEach(() => server.close());

    const FIRST = formatQuery({ filter: 'eventType eq "test.event"', limit: 3 });

    function createPoller(): { poll: () => Promise<void>; seen: string[] } {
      const seen: string[] = [];
      let url = FIRST;
      return {
        seen,
        async poll() {
          const { status, body, headers, text } = await client.api(url);
          if (status !== 200) throw new Error(text);
          seen.push(...body.map(({ displayMessage }: { displayMessage: string }) => displayMessage));
          url = /<([^>]+)>; rel="next"/.exec(String(headers["link"]))![1]!;
        },
      };
    }

    it("P4 a poll between the appending and the commit of a writer misses nothing", async () => {
      const poller = createPoller();
      await poller.poll();
      const other = await data.open();
      const appended = createGate();
      const commit = createGate();

      const first = store.write(async (transaction) => {
        await appendLogEvents(transaction, orgId, titled("A"));
        appended.open();
        await commit.passed;
      });
      await appended.passed;
      await poller.poll();
      let isDone = false;
      const second = append(other, "B").then(() => (isDone = true));
      for (let i = 0; i < 5; i++) {
        await sleep(20);
        await poller.poll();
        expect(isDone).toBe(false); // else a poll now would see B, and later look for nothing before it
      }
      expect(poller.seen).toEqual([]);
      commit.open();
      await first;
      await poller.poll();
      await second;
      for (let i = 0; i < 3; i++) await poller.poll();
      expect(poller.seen).toEqual(["A", "B"]);
    });

    it("P4 a writer that appends long after another began, and commits before it, is not overtaken", async () => {
      const poller = createPoller();
      const other = engine === "SQLite" ? store : await data.open();
      const begun = createGate();
      const go = createGate();
      const slow = store.write(async (transaction: WriteTransaction) => {
        begun.open();
        await go.passed;
        await appendLogEvents(transaction, orgId, titled("slow, with the earlier time"));
      });
      await begun.passed;
      const fast = append(other, "fast");
      if (engine === "PostgreSQL") await fast;
      await poller.poll();
      go.open();
      await slow;
      await fast;
      for (let i = 0; i < 3; i++) await poller.poll();
      expect(poller.seen.toSorted()).toEqual(["fast", "slow, with the earlier time"]);
    });

    it("P4 pollers see what many writers on two nodes append, each event once and all in one order", async () => {
      const stores = [store, await data.open()];
      const pollers = [createPoller(), createPoller()];
      let isWriting = true;
      const polling = pollers.map(async ({ poll }) => {
        while (isWriting) await poll();
      });
      const WRITERS = 6;
      const EVENTS = 15;
      await Promise.all(
        Array.from({ length: WRITERS }, async (_, writer) => {
          for (let i = 0; i < EVENTS; i++) {
            await stores[writer % 2]!.write(async (transaction) => {
              if (Math.random() < 0.5) await sleep(Math.random() * 5);
              await appendLogEvents(transaction, orgId, titled(`${writer}:${i}`));
              if (Math.random() < 0.5) await sleep(Math.random() * 5);
            });
          }
        }),
      );
      isWriting = false;
      await Promise.all(polling);
      const rows = (await listRows()).filter(({ event_type }) => event_type === "test.event");
      const expected = rows.map(({ event }) => JSON.parse(event).displayMessage);
      expect(expected).toHaveLength(WRITERS * EVENTS);
      for (const { poll, seen } of pollers) {
        while (seen.length < expected.length) {
          const before = seen.length;
          await poll();
          if (seen.length === before) break;
        }
        await poll();
        expect(seen).toEqual(expected);
      }
    });
  });
});
