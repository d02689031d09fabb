import type { Request, RequestHandler } from "express";
import { formatLink, withLinks } from "etiquette/links";
import { getQuery } from "etiquette/query-parameters";
import { getEntityTag } from "etiquette/weak-etag";
import { z } from "zod";
import { recordEvents } from "../../audit/change-events.js";
import { ID_REGEXP } from "../../model/ids.js";
import { departureOf } from "../../pace/departure.js";
import { createTurns } from "../../pace/turns.js";
import { assertOneOf, parseBody } from "../../rest/body.js";
import { plainParameters } from "../../rest/query.js";
import { findRecord } from "../../rest/reading.js";
import { urlOf, type WriteGuard } from "../../rest/resource-type.js";
import { json, type ApiDependencies, type Operation, type Resource } from "../../rest/resource.js";
import { quotaExceeded } from "../../rest/writing.js";
import { batchesInTurns } from "../../store/records/batches.js";
import { QuotaError } from "../../store/records/usage.js";
import { getTenant } from "../../tenancy/tenant.js";
import { MAX_RESTORED_LISTED, restoreRevision, type RestoreResult } from "../../transfer/restore.js";
import { POLICY } from "../policies.js";
import { createRuleDrafts } from "../rule-drafts.js";
import { createTestGuard } from "../test-guard.js";
import { assertKnown, readPathNumber } from "./numbers.js";
import { byCurrent, RESTORE_RESULT } from "./shapes.js";
import { presentChange } from "./views.js";

/** A restore reads all rules of its org, as an import does. */
const TURNS = { size: 1, share: 1, maxWaiting: 4, patience: 60_000 };

const MAX_TARGETS = 200;

const FLAG = z.enum(["true", "false"]);

const BODY = z.object({
  targets: z
    .array(z.string().regex(ID_REGEXP, "must be the id of a record"))
    .min(1)
    .max(MAX_TARGETS)
    .exactOptional()
    .describe("The ids of the records to bring back; all by default."),
});

/** Brings back what was at a revision. */
export function restoreResource(
  dependencies: ApiDependencies,
  { path, furtherScopes }: Readonly<{ path: string; furtherScopes: readonly string[] }>,
): Resource {
  const dryRun = { shape: FLAG, description: "Whether only to tell what it would do. By default it does it." };
  const guard = createTestGuard(dependencies);
  const operation: Operation = {
    id: "restoreRevision",
    summary: "Bring back what was at a revision",
    scope: "policies.manage",
    furtherScopes,
    query: [plainParameters({ dryRun }), ...guard.query],
    bodies: json("RestoreInput", BODY.meta({ examples: [{}] })),
    sent: { content: { name: "RestoreResult", shape: RESTORE_RESULT }, isTagged: true },
    handlers: [byCurrent, createRestore(dependencies, guard)],
  };
  return { path, operations: { POST: operation } };
}

function createRestore({ store, settings, nextTurn }: ApiDependencies, guard: WriteGuard): RequestHandler {
  const turns = createTurns(TURNS);
  const drafts = createRuleDrafts(settings);

  return async function restore(req, res) {
    const { org } = getTenant(req);
    const revision = readPathNumber(req);
    const { targets } = parseBody(BODY, req.body);
    const isDryRun = readDryRun(req);
    const signal = departureOf(res);
    const data = store.forOrg(org.id, signal);
    const policy = await data.query((db) => findRecord(POLICY, db, req));
    const work = () =>
      restoreRevision(data, {
        ...{ orgId: org.id, policy, revision, targets, isDryRun, signal, nextTurn },
        begin: (transaction) => guard.begin(req, transaction, org.id),
        check(known) {
          getEntityTag(req).assert({ current: known.last });
          assertKnown(revision, known);
        },
        checkRule: (after, before) => {
          drafts.assertCondition(req, after, before);
        },
        async record(transaction, events) {
          for await (const batch of batchesInTurns(events)) {
            const described = batch.map((describe) => describe());
            await recordEvents(req, transaction, described, { source: "restore", restored: revision });
          }
        },
      });
    const result = await turns.run(org.id, work, signal).catch((error: unknown) => {
      throw error instanceof QuotaError ? quotaExceeded(error) : error;
    });
    const body = { dryRun: isDryRun, restored: revision, ...presentResult(result) };
    const policyUrl = urlOf(POLICY, req, policy);
    const made = result.revision === null ? undefined : formatLink(`${policyUrl}/revisions/${result.revision}`);
    const links = { revision: made, policy: formatLink(policyUrl) };
    getEntityTag(req).send({ current: result.current }, withLinks(body, links));
  };
}

function readDryRun(req: Request): boolean {
  const text = getQuery(req).get("dryRun") ?? "false";
  assertOneOf("dryRun", text, FLAG.options);
  return text === "true";
}

function presentResult({ revision, changes }: RestoreResult) {
  const listed = changes.slice(0, MAX_RESTORED_LISTED).map(presentChange);
  return { revision, changeCount: changes.length, changes: listed };
}
