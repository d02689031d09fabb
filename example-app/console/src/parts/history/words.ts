import type { ListedRevision, RevisionChange } from "../../api/types.js";
import { changes } from "../../texts/en/changes.js";
import { visible } from "../visible.js";

/** Changes in words. */

/** What happened, and what a restore does. */
const VERBS = {
  create: ["created", "creates"],
  update: ["updated", "updates"],
  move: ["moved", "moves"],
  delete: ["deleted", "deletes"],
} as const satisfies Record<RevisionChange["event"], unknown>;

/** `Changed the rule Partner` */
export function describePast({ event, type, name }: RevisionChange): string {
  return changes[VERBS[event][0]]({ kind: changes[type], name: visible(name) });
}

/** `Changes the rule Partner` */
export function describeFuture({ event, type, name }: RevisionChange): string {
  return changes[VERBS[event][1]]({ kind: changes[type], name: visible(name) });
}

/** `Changed the rule Partner and 3 more` */
export function describeRevision({
  changes: made,
  changeCount,
}: Pick<ListedRevision, "changes" | "changeCount">): string {
  const [first] = made;
  if (!first) return changes.nothing;
  const change = describePast(first);
  return changeCount === 1 ? change : changes.andMore({ change, n: changeCount - 1 });
}

/** `by Nightly job from 192.0.2.7, over the API` */
export function describeAuthor({ actor, client, source, restored }: ListedRevision): string {
  const name = visible(actor.displayName);
  const how = restored === undefined ? changes[source] : changes.restored({ revision: String(restored) });
  const address = client.ipAddress;
  return address === null ? changes.author({ name, how }) : changes.authorFrom({ name, address, how });
}
