/** What every peer serves: a list at `/v1/items`, and objects below it that GET reads and PUT writes. */
export interface Item {
  id: string;
  name: string;
  status: string;
  version: number;
  lastRead: string;
}

/** A store in memory, with enough objects for several pages. */
export class ItemStore {
  readonly #items = new Map<string, Item>(
    Array.from({ length: 7 }, (_, index) => [
      String(index + 1),
      { id: String(index + 1), name: `Item ${index + 1}`, status: "ACTIVE", version: 1, lastRead: "" },
    ]),
  );

  /** A copy, as a database returns it. All but the first object have when they were read last. */
  find(id: string): Item | undefined {
    const item = this.#items.get(id);
    if (!item) return undefined;
    if (id !== "1") item.lastRead = new Date(1_700_000_000_000 + ++this.#reads * 1000).toISOString();
    return { ...item };
  }

  list(): Item[] {
    return [...this.#items.values()].map((item) => ({ ...item }));
  }

  save(id: string, changes: Partial<Item>): Item | undefined {
    const item = this.#items.get(id);
    if (!item) return undefined;
    if (typeof changes.name === "string") item.name = changes.name;
    item.version += 1;
    return { ...item };
  }

  #reads = 0;
}

/** Trusted by all of them. */
export const ORIGIN = "https://app.example.com";

export const LIST = "/v1/items";
export const ITEM = "/v1/items/1";

/** It has when it was read last, which changes each time. */
export const READ_ITEM = "/v1/items/2";
