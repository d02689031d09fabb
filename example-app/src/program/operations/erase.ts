import { recordCommandEvents, writeCommand } from "../../audit/command-events.js";
import { describeErasure } from "../../audit/describe-change.js";
import { ID_REGEXP } from "../../model/ids.js";
import { foldText } from "../../model/words.js";
import { eraseFromHistory } from "../../store/log/history-erasure.js";
import { eraseFromLog, findUserId, findUserTexts } from "../../store/log/erasure.js";
import { ERASED } from "../../store/log/erased-text.js";
import { forgetResponses } from "../../store/records/idempotency-keys.js";
import { readRoutingTests, readRules } from "../../store/records/queries.js";
import { removeLeftWords } from "../../store/records/sweep-words.js";
import type { Store } from "../../store/store.js";
import { USERS } from "../../store/records/users.js";

/** A text of more words is no name that one would search for as a whole. */
const MAX_NAME_WORDS = 8;

/** The reason why nobody was erased: one line for the user of the command line. */
export class EraseError extends Error {
  override readonly name = "EraseError";
}

/** Who is erased. */
export interface ErasureRequest {
  /** Subdomain of the org. */
  readonly org: string;
  /** The login or the id of a user, who may be deleted already. */
  readonly user: string;
}

/**
 * Delete a user, and erase login, name, addresses and the client of the user's own requests from the log and the history of the org.
 * What is left is an event that has only the id. Running it again continues where it stopped.
 *
 * @returns what was done, in lines
 * @throws {EraseError} when there is no such org, or nothing tells of such a user
 */
export async function eraseUser(store: Store, { org, user: idOrLogin }: ErasureRequest): Promise<string> {
  const found = await store.findOrgBySubdomain(org);
  if (!found) throw new EraseError(`There is no org with the subdomain ${JSON.stringify(org)}`);
  const orgId = found.id;

  const user = await USERS.find(store.reader, orgId, idOrLogin);
  const isId = ID_REGEXP.test(idOrLogin);
  const id = user?.id ?? (isId ? idOrLogin : await findUserId(store, orgId, idOrLogin));
  const texts = id === undefined ? new Set<string>() : await findUserTexts(store, orgId, id);
  if (id !== idOrLogin) texts.add(idOrLogin);
  if (user) {
    const { login, email, firstName, lastName, displayName } = user.profile;
    texts.add(login).add(email).add(`${firstName} ${lastName}`);
    if (typeof displayName === "string" && displayName.includes(" ")) texts.add(displayName); // one word may be of others
  }
  texts.delete(ERASED);
  for (const text of [...texts]) for (const other of writeOtherwise(text)) texts.add(other);

  const record = (): Promise<void> =>
    writeCommand(store, async (transaction) => {
      if (user) await USERS.remove(transaction, orgId, user);
      await forgetResponses(transaction, orgId); // any of them may tell of the user
      await recordCommandEvents(transaction, orgId, { command: "erase" }, [() => describeErasure(id ?? "unknown")]);
    });
  if (!user) await removeLeftWords(store, orgId, () => false); // an older server may have deleted the user
  if (user) await record(); // first, so that nothing about the user can change any more
  const count = await eraseFromLog(store, orgId, { id, texts });
  const changes = await eraseFromHistory(store, orgId, { id, texts });
  if (!user && count + changes === 0) {
    throw new EraseError(`The org ${org} has no user ${JSON.stringify(idOrLogin)}, and no event tells of one`);
  }
  if (!user) await record();

  const wanted = [...texts].map((text) => text.toLowerCase());
  const rules = await findRules(store, orgId, wanted);
  const tests = await findTests(store, orgId, wanted);
  return [
    `user: ${user ? "deleted" : "was deleted before"}`,
    `log: ${count} events erased`,
    ...(changes > 0 ? [`history: ${changes} revisions and changes erased`] : []),
    ...(rules.length > 0 ? [`rules that still name the user: ${rules.join(", ")}`] : []),
    ...(tests.length > 0 ? [`routing tests that still name the user: ${tests.join(", ")}`] : []),
  ].join("\n");
}

/** A name as one may search for it: with the last name first, or without accents. */
function writeOtherwise(text: string): string[] {
  const words = text.split(/\s+/);
  if (words.length === 1 || words.length > MAX_NAME_WORDS) return [];
  const orders = words.map((_word, i) => [...words.slice(i), ...words.slice(0, i)].join(" "));
  return [...orders, ...orders.map(foldText)];
}

/** The names of the rules with a pattern that is one of the texts in lower case. */
async function findRules(
  { reader }: Pick<Store, "reader">,
  orgId: string,
  texts: readonly string[],
): Promise<string[]> {
  const rules = await readRules(reader, orgId);
  return rules
    .filter(({ conditions }) =>
      conditions.userIdentifier?.patterns.some(({ value }) => texts.includes(value.toLowerCase())),
    )
    .map(({ name }) => name);
}

/** The names of the routing tests with such a login. */
async function findTests(
  { reader }: Pick<Store, "reader">,
  orgId: string,
  texts: readonly string[],
): Promise<string[]> {
  const tests = await readRoutingTests(reader, orgId);
  return tests.filter(({ login }) => texts.includes(login.toLowerCase())).map(({ name }) => name);
}
