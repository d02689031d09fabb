import type { ListedRevision, RevisionChange } from "../../api/types.js";
import { visible } from "../visible.js";

/** Changes in words. */

const KINDS: Readonly<Record<RevisionChange["type"], string>> = {
  PolicyRule: "rule",
  IdentityProvider: "identity provider",
  Zone: "zone",
  TrustedOrigin: "trusted origin",
};

/** What happened, and what a restore does. */
const VERBS: Readonly<Record<RevisionChange["event"], readonly [past: string, present: string]>> = {
  create: ["Added", "Adds"],
  update: ["Changed", "Changes"],
  move: ["Moved", "Moves"],
  delete: ["Deleted", "Deletes"],
};

const SOURCES: Readonly<Record<ListedRevision["source"], string>> = {
  api: "over the API",
  console: "in the console",
  import: "with a file",
  restore: "bringing back what was",
  metadata: "with refreshed metadata",
  command: "with a command",
  system: "by itself",
};

/** `Changed the rule Partner` */
export function describePast({ event, type, name }: RevisionChange): string {
  return `${VERBS[event][0]} the ${KINDS[type]} ${visible(name)}`;
}

/** `Changes the rule Partner` */
export function describeFuture({ event, type, name }: RevisionChange): string {
  return `${VERBS[event][1]} the ${KINDS[type]} ${visible(name)}`;
}

/** `Changed the rule Partner and 3 more` */
export function describeRevision({ changes, changeCount }: Pick<ListedRevision, "changes" | "changeCount">): string {
  const [first] = changes;
  if (!first) return "Changed nothing";
  const others = changeCount - 1;
  return others === 0 ? describePast(first) : `${describePast(first)} and ${others} more`;
}

/** `by Nightly job from 192.0.2.7, over the API` */
export function describeAuthor({ actor, client, source, restored }: ListedRevision): string {
  const from = client.ipAddress === null ? "" : ` from ${client.ipAddress}`;
  const how = restored === undefined ? SOURCES[source] : `bringing back revision ${restored}`;
  return `by ${visible(actor.displayName)}${from}, ${how}`;
}
