import type { Request, RequestHandler } from "express";
import { compileNamespace } from "etiquette/namespace";
import { formatLink, formatList, withLinks } from "etiquette/links";
import { getPage } from "etiquette/pagination";
import { getQuery } from "etiquette/query-parameters";
import { getEntityTag } from "etiquette/weak-etag";
import { z } from "zod";
import { ID_REGEXP } from "../../model/ids.js";
import { departureOf } from "../../pace/departure.js";
import { invalid } from "../../rest/body.js";
import { listPages } from "../../rest/list.js";
import { plainParameters, type QueryParameter } from "../../rest/query.js";
import { findRecord } from "../../rest/reading.js";
import { urlOf } from "../../rest/resource-type.js";
import type { ApiDependencies, Operation, Resource } from "../../rest/resource.js";
import { compareChanges, compareStates } from "../../store/history/compare.js";
import {
  findChanges,
  findRevision,
  REVISION_ORDER,
  searchRevisions,
  type RevisionSelection,
} from "../../store/history/revision-list.js";
import { readKnown } from "../../store/history/walk.js";
import { getTenant } from "../../tenancy/tenant.js";
import { POLICY } from "../policies.js";
import { assertKnown, readDate, readNumber, readPathNumber, unknownRevision } from "./numbers.js";
import { restoreResource } from "./restore.js";
import { byCurrent, createRevisionShapes, REVISION_LIST } from "./shapes.js";
import { presentCompared, presentListed, presentRevision } from "./views.js";

/** What revisions tell of, beside rules. */
const FURTHER = ["idps", "trustedOrigins", "zones"];

/** The changes of a page: each has two states of a record. */
const CHANGE_LIMIT = { default: 20, max: 100 };

const date = z.string().meta({ format: "date-time" });

const TARGET: QueryParameter = { shape: z.string(), description: "Only those that changed the record with this id." };

const LIST_PARAMETERS: Readonly<Record<string, QueryParameter>> = {
  target: TARGET,
  since: { shape: date, description: "The earliest time, inclusive." },
  until: { shape: date, description: "The latest time, exclusive." },
};

const DIFF_PARAMETERS: Readonly<Record<string, QueryParameter>> = {
  from: { shape: z.int().min(1), description: "The revision to compare with; by default the one before." },
};

/** The history of what routing is made of, see docs/reference/api/revisions.md. */
export function revisionResources(dependencies: ApiDependencies): Resource[] {
  const { settings } = dependencies;
  const shapes = createRevisionShapes(compileNamespace("api", settings.namespace).value);
  const reading = { scope: "policies.read", furtherScopes: FURTHER.map((name) => `${name}.read`) } as const;
  const path = `${POLICY.path}/revisions`;

  const list: Operation = {
    ...reading,
    id: "listRevisions",
    summary: "List revisions of the routing of the org",
    query: [plainParameters(LIST_PARAMETERS), listPages(settings, { resource: "revisions" })],
    sent: { content: { name: "RevisionList", shape: REVISION_LIST } },
    handlers: [createList(dependencies)],
  };
  const get: Operation = {
    ...reading,
    id: "getRevision",
    summary: "Get a revision with its changes",
    query: [
      plainParameters({ target: { ...TARGET, description: "Only the change of the record with this id." } }),
      listPages(settings, {
        resource: "revision",
        limit: CHANGE_LIMIT,
        context: (req) => ({ filter: JSON.stringify([readPathNumber(req), readTarget(req)]) }),
      }),
    ],
    sent: { content: { name: "Revision", shape: shapes.revision }, isTagged: true },
    handlers: [byCurrent, createGet(dependencies)],
  };
  const diff: Operation = {
    ...reading,
    id: "diffRevisions",
    summary: "Compare the states at two revisions",
    query: [
      plainParameters(DIFF_PARAMETERS),
      listPages(settings, {
        resource: "revision diff",
        limit: CHANGE_LIMIT,
        context: (req) => ({ filter: JSON.stringify([readPathNumber(req), readFrom(req)]) }),
      }),
    ],
    sent: { content: { name: "RevisionDiff", shape: shapes.diff } },
    handlers: [createDiff(dependencies)],
  };
  return [
    { path, operations: { GET: list } },
    { path: `${path}/:revision`, operations: { GET: get } },
    { path: `${path}/:revision/diff`, operations: { GET: diff } },
    restoreResource(dependencies, {
      path: `${path}/:revision/restore`,
      furtherScopes: FURTHER.map((name) => `${name}.manage`),
    }),
  ];
}

function createList({ store }: ApiDependencies): RequestHandler {
  return async function listRevisions(req, res) {
    const data = store.forOrg(getTenant(req).org.id, departureOf(res));
    const policy = await data.query((db) => findRecord(POLICY, db, req));
    const page = getPage(req);
    const selection = readSelection(req);
    const { rows, end } = await data.search((_dialect, orgId) => searchRevisions(orgId, selection), page);
    const revisions = page.take(rows, (row) => REVISION_ORDER.map(({ column }) => row[column]), end).map(presentListed);
    const url = `${urlOf(POLICY, req, policy)}/revisions`;
    res.type("json").send(formatList(revisions, url, ({ revision }) => String(revision)));
  };
}

function createGet({ store, settings }: ApiDependencies): RequestHandler {
  const { value: orgType } = compileNamespace("api", settings.namespace);

  return async function getRevision(req, res) {
    const { org } = getTenant(req);
    const revision = readPathNumber(req);
    const target = readTarget(req);
    const page = getPage(req);
    const { policy, known, row, found, end } = await store.forOrg(org.id, departureOf(res)).read(async (db) => {
      const policy = await findRecord(POLICY, db, req);
      const known = await readKnown(db, org.id);
      const row = await findRevision(db, org.id, revision);
      if (!row) throw unknownRevision(revision, known);
      const changes = await findChanges(db, org.id, { revision, target }, page);
      return { policy, known, row, ...(await compareChanges(db, org.id, changes)) };
    });
    const shown = page.take(found, ({ key }) => [key.place], end && [end.place]);
    const changes = await presentCompared(shown, orgType);
    const policyUrl = urlOf(POLICY, req, policy);
    const url = `${policyUrl}/revisions/${revision}`;
    const links = {
      self: formatLink(url),
      diff: formatLink(`${url}/diff`),
      restore: formatLink(`${url}/restore`, { method: "post" }),
      policy: formatLink(policyUrl),
    };
    const current = known.last;
    getEntityTag(req).send({ current }, withLinks({ ...presentRevision(row), current, changes }, links));
  };
}

function createDiff({ store, settings }: ApiDependencies): RequestHandler {
  const { value: orgType } = compileNamespace("api", settings.namespace);

  return async function diffRevisions(req, res) {
    const { org } = getTenant(req);
    const revision = readPathNumber(req);
    const from = readFrom(req);
    const page = getPage(req);
    const { policy, found, end } = await store.forOrg(org.id, departureOf(res)).read(async (db) => {
      const policy = await findRecord(POLICY, db, req);
      const known = await readKnown(db, org.id);
      for (const number of [revision, from]) assertKnown(number, known);
      return { policy, ...(await compareStates(db, org.id, [from, revision], page)) };
    });
    const shown = page.take(found, ({ key }) => [key], end === undefined ? undefined : [end]);
    const changes = await presentCompared(shown, orgType);
    res.json(withLinks({ from, revision, changes }, { policy: formatLink(urlOf(POLICY, req, policy)) }));
  };
}

function readFrom(req: Request): number {
  return readNumber(req, "from") ?? readPathNumber(req) - 1;
}

/** @throws {ApiError} E0000001 when the parameter is no id */
function readTarget(req: Request): string | undefined {
  const target = getQuery(req).get("target") ?? "";
  if (target !== "" && !ID_REGEXP.test(target)) throw invalid([["target", "must be the id of a record"]]);
  return target === "" ? undefined : target;
}

function readSelection(req: Request): RevisionSelection {
  const [since, until] = [readDate(req, "since"), readDate(req, "until")];
  if (since !== undefined && until !== undefined && since > until) throw invalid([["since", "is later than until"]]);
  return { target: readTarget(req), since, until };
}
