import { weakEtag } from "etiquette/weak-etag";
import { z } from "zod";
import { REVISION_SOURCES } from "../../model/revisions.js";
import { DATE, ID, SENT_IDP, SENT_TRUSTED_ORIGIN, SENT_ZONE } from "../../model/sent-shapes.js";
import { linksShape } from "../../rest/resource-type.js";
import { createSentRuleShape } from "../rule-shape.js";
import { TYPES } from "./views.js";
import { makeOnce } from "../../model/make-once.js";

/** Of the present revision of an org, so that the tag changes with every change. */
export const byCurrent = weakEtag({ revision: "current" });

/** Revisions as they are sent. */

const CHANGE = {
  type: z.enum(Object.values(TYPES)),
  id: ID,
  name: z.string(),
  event: z.enum(["create", "update", "move", "delete"]),
};

const LISTED_CHANGE = z.object(CHANGE).meta({ id: "RevisionChange" });

const NUMBER = z.int().min(0);

const REVISION = {
  revision: NUMBER,
  published: DATE,
  actor: z.object({ id: z.string(), type: z.string(), displayName: z.string() }),
  client: z.object({ ipAddress: z.string().nullable() }),
  requestId: z.string(),
  source: z.enum(REVISION_SOURCES),
  restored: NUMBER.exactOptional().describe("The revision whose state came back, if the source is restore."),
  changeCount: NUMBER,
};

const LISTED = z
  .object({
    ...REVISION,
    changes: z.array(LISTED_CHANGE).describe("The first 20."),
    _links: linksShape(),
  })
  .meta({ id: "ListedRevision" });

export const REVISION_LIST = z.array(LISTED);

const OPERATION = z.object({
  op: z.enum(["add", "remove", "replace"]),
  path: z.string(),
  value: z.unknown().optional(),
});

/** @param orgType the API's name for the org itself among the providers */
export const createRevisionShapes = makeOnce((orgType: string) => {
  const rule = createSentRuleShape(orgType);
  const record = z
    .union([rule, SENT_IDP.omit({ metadata: true }), SENT_ZONE, SENT_TRUSTED_ORIGIN])
    .nullable()
    .meta({ id: "RevisedRecord" });
  const changes = z.array(
    z
      .object({
        ...CHANGE,
        before: record.describe("null if the record was not there."),
        after: record.describe("null if the record is not there."),
        patch: z.array(OPERATION).describe("JSON Patch (RFC 6902) from before to after."),
      })
      .meta({ id: "ComparedRecord" }),
  );
  return {
    revision: z.object({
      ...REVISION,
      current: NUMBER.describe("The present revision of the org."),
      changes: changes.describe("A page of them."),
      _links: linksShape([], ["self", "diff", "restore", "policy"]),
    }),
    diff: z.object({ from: NUMBER, revision: NUMBER, changes, _links: linksShape([], ["policy"]) }),
  };
});

export const RESTORE_RESULT = z.object({
  dryRun: z.boolean(),
  restored: NUMBER,
  revision: NUMBER.nullable().describe("The new one; null with dryRun, or if there was nothing to change."),
  changeCount: NUMBER,
  changes: z.array(LISTED_CHANGE).describe("The first 1000."),
  _links: linksShape(["revision"], ["policy"]),
});
