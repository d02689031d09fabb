import fc from "fast-check";
import { createId } from "../../src/model/ids.js";
import { DEFAULT_QUOTAS } from "../../src/model/quotas.js";
import type { Org, Policy, Rule, Zone } from "../../src/model/records.js";
import { expireHistory } from "../../src/store/history/forgetting.js";
import { readPastRouting } from "../../src/store/history/past-routing.js";
import { readKnown } from "../../src/store/history/walk.js";
import { readRevision, readRules, readZones } from "../../src/store/records/queries.js";
import { ZONES } from "../../src/store/records/resource-tables.js";
import { RULES } from "../../src/store/records/rules.js";
import { readUsage } from "../../src/store/records/usage.js";
import type { Store } from "../../src/store/store.js";
import { importText } from "../../src/transfer/import.js";
import { restoreRevision } from "../../src/transfer/restore.js";
import { buildRule, buildZone } from "../support/routing.js";
import { createOrg, describeStores } from "../support/stores.js";

/** What a change does; `at` picks a rule or a place among those that there are. */
type Action = Readonly<{ kind: (typeof KINDS)[number]; at: number; to: number }>;

const KINDS = ["create", "update", "move", "delete", "zone", "import", "restore"] as const;

const ACTION: fc.Arbitrary<Action> = fc.record({
  kind: fc.constantFrom(...KINDS),
  at: fc.nat(9),
  to: fc.nat(9),
});

const fileRule = (name: string, number: number) => ({
  name,
  conditions: {
    userIdentifier: { type: "IDENTIFIER", patterns: [{ matchType: "EQUALS", value: `${number}@example.com` }] },
  },
  actions: { idp: { providers: [{ type: "SVC" }] } },
});

/** What undoing brings back: everything but the dates that rules have which only made room for others. */
const shown = ({ lastUpdated: _, ...record }: Rule | Zone) => record;

async function stateOf(store: Store, orgId: string) {
  return store.read(async (db) => ({
    rules: (await readRules(db, orgId)).map(shown),
    zones: (await readZones(db, orgId)).map(shown),
  }));
}

async function pastOf(store: Store, orgId: string, revision: number) {
  return store.read(async (db) => {
    const { rules, zones } = await readPastRouting(db, orgId, revision);
    return {
      rules: [...rules].map(shown),
      zones: [...zones].sort((a, b) => (a.name < b.name ? -1 : 1)).map(shown),
    };
  });
}

async function apply(store: Store, org: Org, { kind, at, to }: Action, number: number): Promise<void> {
  const { id: orgId, subdomain, name } = org;
  const all = await readRules(store.reader, orgId);
  const own = all.filter(({ system }) => !system);
  const rule = own[at % Math.max(1, own.length)];
  if (kind === "import") {
    const wanted = [...own.slice(at), ...own.slice(0, to)].map((one) => one.name);
    const rules = [...new Set([...wanted, `imported ${number}`])].map((one, i) =>
      fileRule(one, (i + to) % 3 === 0 ? number : 0),
    );
    await importText(store, JSON.stringify({ orgs: [{ subdomain, name, rules }] }));
    return;
  }
  await store.write(async (transaction) => {
    await transaction.touch(orgId);
    const stamps = { created: transaction.now, lastUpdated: transaction.now };
    if (kind === "zone") {
      const zones = await readZones(transaction.db, orgId);
      const zone = zones[at % Math.max(1, zones.length)];
      if (!zone || to < 4) {
        const made = { ...buildZone(createId(), ["192.0.2.0/24"], { name: `zone ${number}` }), ...stamps };
        await ZONES.insert(transaction, orgId, made);
      } else if (to < 7) await ZONES.update(transaction, orgId, zone, { ...zone, name: `zone ${number}` });
      else await ZONES.remove(transaction, orgId, zone);
      return;
    }
    if (kind === "create" || !rule) {
      const made = buildRule({ id: createId(), name: `rule ${number}`, priority: to + 1, providers: ["org"] });
      await RULES.insert(transaction, orgId, { ...made, ...stamps });
    } else if (kind === "delete") await RULES.remove(transaction, orgId, rule);
    else if (kind === "move") await RULES.update(transaction, orgId, rule, { ...rule, priority: to + 1 });
    else await RULES.update(transaction, orgId, rule, { ...rule, name: `renamed ${number}`, priority: at + 1 });
  });
}

const restore = (store: Store, orgId: string, revision: number) =>
  restoreRevision(store.forOrg(orgId), {
    ...{ orgId, revision, targets: undefined, isDryRun: false, signal: new AbortController().signal },
    policy: { id: createId(), name: "Policy" } as Policy,
    begin: () => Promise.resolve(() => Promise.resolve()),
    check: () => undefined,
    checkRule: () => undefined,
    record: () => Promise.resolve(),
  });

/** An org after so many changes of a zone, each an hour after the one before. */
async function changeZone(open: (options: object) => Promise<Store>, count: number, options: object = {}) {
  let hours = 0;
  const clock = () => new Date(Date.UTC(2026, 0, 1, hours));
  const store = await open({ clock, ...options });
  const { id } = await createOrg(store, { subdomain: "acme", name: "Acme" });
  let zone = buildZone(createId(), ["192.0.2.0/24"]);
  for (; hours < count; hours++) {
    await store.write(async (transaction) => {
      await transaction.touch(id);
      const changed = { ...zone, name: `Zone ${hours}` };
      if (hours === 0) await ZONES.insert(transaction, id, changed);
      else await ZONES.update(transaction, id, zone, changed);
      zone = changed;
    });
  }
  const revisions = () => store.reader.selectFrom("revisions").selectAll().orderBy("revision").execute();
  const changes = () => store.reader.selectFrom("revision_changes").selectAll().orderBy("revision").execute();
  const used = async () => (await readUsage(store.reader, id)).historyBytes ?? 0;
  return { store, id, revisions, changes, used, setHours: (value: number) => (hours = value) };
}

describeStores((engine, database) => {
  it("brings back the state at each revision, whatever was changed since", async () => {
    const store = await (await database()).open();
    let orgs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(ACTION, { minLength: 1, maxLength: 12 }), async (actions) => {
        const org = await createOrg(store, { subdomain: `org${orgs++}`, name: "Acme" });
        const { id } = org;
        const states = new Map([[1, await stateOf(store, id)]]);
        for (const [number, action] of actions.entries()) {
          if (action.kind !== "restore") await apply(store, org, action, number);
          else {
            const [revision = 1, state] = [...states][action.at % states.size] ?? [];
            await restore(store, id, revision);
            expect(await stateOf(store, id)).toEqual(state);
          }
          states.set((await readRevision(store.reader, id)) ?? 0, await stateOf(store, id));
        }
        for (const [revision, state] of states) expect(await pastOf(store, id, revision)).toEqual(state);
      }),
      { numRuns: engine === "SQLite" ? 60 : 15 },
    );
  });

  it("keeps of a change only what was before, and counts its bytes", async () => {
    const { revisions, changes, used } = await changeZone((await database()).open, 3);
    expect(
      (await changes()).map(({ event, name, before }) => [event, name, before && JSON.parse(before).name]),
    ).toEqual([
      ["create", "Zone 0", null],
      ["update", "Zone 1", "Zone 0"],
      ["update", "Zone 2", "Zone 1"],
    ]);
    const sizes = (await revisions()).map(({ size }) => size);
    expect(sizes[0]).toBe(1_024 + 512);
    expect(await used()).toBe(sizes.reduce((sum, size) => sum + size, 0));
  });

  it.each([
    [0, 4],
    [-1, 3],
    [-10_000, 0],
  ])("S9 forgets the oldest when the bytes of all are over the quota: %p", async (more, left) => {
    const first = await changeZone((await database()).open, 4);
    const quotas = { ...DEFAULT_QUOTAS, historyBytes: Math.max(0, (await first.used()) + more) };
    const { revisions, changes, used } = await changeZone((await database()).open, 4, { quotas });
    expect([await revisions(), await changes()].map((rows) => rows.length)).toEqual([left, left]);
    expect(await used()).toBe((await revisions()).reduce((sum, { size }) => sum + size, 0));
  });

  it("forgets what is older than the given days, with its changes", async () => {
    const { store, id, revisions, changes, used, setHours } = await changeZone((await database()).open, 4);
    const numbers = async () => (await revisions()).map(({ revision }) => revision);
    const [first = 0] = await numbers();
    for (const [hours, left] of [
      [25, 3],
      [26, 2],
    ] as const) {
      setHours(hours);
      await expireHistory(store, 1);
      expect(await numbers()).toHaveLength(left);
    }
    expect((await changes()).map(({ revision }) => revision)).toEqual([first + 2, first + 3]);
    expect(await used()).toBe((await revisions()).reduce((sum, { size }) => sum + size, 0));
    expect(await readKnown(store.reader, id)).toEqual({ first: first + 1, last: first + 3 });
    setHours(100);
    await expireHistory(store, 1, () => true);
    expect(await numbers()).toHaveLength(2);
    await expireHistory(store, 1);
    expect([await numbers(), await changes(), await used()]).toEqual([[], [], 0]);
    expect(await readKnown(store.reader, id)).toEqual({ first: first + 3, last: first + 3 });
  });
});
