import { recordCommandEvents } from "../audit/command-events.js";
import { describeApiToken } from "../audit/describe-change.js";
import { dateAfter } from "../model/dates.js";
import { DEMO_SUBDOMAIN } from "../model/orgs.js";
import { ALL_SCOPES } from "../model/scopes.js";
import { insertToken } from "../store/records/api-tokens.js";
import { insertLink } from "../store/records/console.js";
import { findOrgRow } from "../store/records/queries.js";
import type { Store } from "../store/store.js";
import { readDemonstration } from "./demonstration.js";
import { prepareImport } from "./import.js";

const TOKEN_NAME = "First start";

/** The token is for trying the server. In milliseconds. */
const TOKEN_LIFETIME = 86_400_000;

/** What lets the first administrator in. The database has only hashes of both. */
export interface FirstAccess {
  /** An API token. */
  readonly token: string;
  /** The code of a link to the console. */
  readonly code: string;
}

/**
 * Import the demonstration org into a store without orgs, and create an API token for it that is valid for a day.
 *
 * @returns the token and the code of a link to the console, in the one process that did it; `undefined` in others that start at the same time, and in later
 * starts
 */
export async function seedDemo(store: Store): Promise<FirstAccess | undefined> {
  if (await store.hasOrgs()) return undefined;
  const importDemo = prepareImport(await readDemonstration());

  return store.write(async (transaction) => {
    const { orgs } = await importDemo(transaction);
    const org = orgs.created > 0 ? await findOrgRow(transaction.db, "subdomain", DEMO_SUBDOMAIN) : undefined;
    if (!org) return undefined;
    const values = {
      name: TOKEN_NAME,
      scopes: [...ALL_SCOPES],
      expiresAt: dateAfter(transaction.now, TOKEN_LIFETIME),
      addresses: [],
      createdBy: { type: "Command", id: "start" } as const,
    };
    const { record, secret } = await insertToken(transaction, org.id, values);
    await recordCommandEvents(transaction, org.id, { command: "start" }, [() => describeApiToken("create", record)]);
    return { token: secret, code: await insertLink(transaction, org.id) };
  });
}
