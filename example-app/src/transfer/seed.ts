import { join } from "node:path";
import type { Store } from "../store/store.js";
import { importFile } from "./import.js";

/** Beside `src` and, when built, beside `dist`. */
const DEMO_FILE = join(__dirname, "../../demo.json");

/** Import the demonstration org into a store without orgs; tells whether it did. */
export async function seedDemo(store: Store): Promise<boolean> {
  if (await store.hasOrgs()) return false;
  await importFile(store, DEMO_FILE);
  return true;
}
