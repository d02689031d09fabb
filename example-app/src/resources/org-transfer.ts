import type { Request, RequestHandler } from "express";
import { compileNamespace } from "etiquette/namespace";
import { getQuery } from "etiquette/query-parameters";
import { z } from "zod";
import { recordEvents } from "../audit/change-events.js";
import { describeOrg } from "../audit/describe-change.js";
import { formatPath } from "../model/faults.js";
import { ID } from "../model/sent-shapes.js";
import { assertOneOf, invalid } from "../rest/body.js";
import { departureOf } from "../pace/departure.js";
import { plainParameters, type QueryParameter } from "../rest/query.js";
import { json, type ApiDependencies, type Resource } from "../rest/resource.js";
import { batchesInTurns } from "../store/records/batches.js";
import type { Db } from "../store/contract/schema.js";
import { createTurns, type Turns } from "../pace/turns.js";
import { readUsage } from "../store/records/usage.js";
import { runInSlices } from "../pace/slices.js";
import { getTenant } from "../tenancy/tenant.js";
import { exportRecords } from "../transfer/export.js";
import { FormatError, formatInSteps } from "../transfer/format.js";
import { COMPARED_SHAPE, presentCompared } from "./finding-shapes.js";
import { COMPARED_SAMPLE, presentSample } from "./routing-outcome.js";
import { createTestGuard } from "./test-guard.js";
import type { WriteGuard } from "../rest/resource-type.js";
import { createOrgFileShape } from "../transfer/org-file.js";
import { ORG_FILE_LIMITS } from "../transfer/org-file-limits.js";
import { MANAGED_KINDS } from "../transfer/kinds.js";
import { importIntoOrg, MAX_CHANGES } from "../transfer/org-import.js";

/** What a file of an org has. Rules are of the policies. */
const RESOURCES = ["idps", "trustedOrigins", "users", "zones"];

/** One import or export at a time keeps the memory and the time of the process for others; so many of an org may wait. */
const TURNS = { size: 1, share: 1, maxWaiting: 4, patience: 60_000 };

const FLAG = z.enum(["true", "false"]);

const COUNT = z.int().min(0);
const COUNTS = z.object({
  created: COUNT,
  updated: COUNT,
  unchanged: COUNT,
  removed: COUNT.exactOptional().describe("Only with prune=true."),
});

const RESULT = z.object({
  dryRun: z.boolean(),
  counts: z.object(Object.fromEntries(MANAGED_KINDS.map((kind) => [kind, COUNTS]))),
  revision: z
    .int()
    .nullable()
    .describe("The one revision of all changes but those of users; null if there is none, as with dryRun."),
  changes: z
    .array(
      z.object({
        kind: z.enum(MANAGED_KINDS),
        event: z.enum(["create", "update", "delete"]),
        place: z.string().describe("Of the record in the file, `orgs[0].zones[1]`, or of the list that leaves it out."),
        id: ID,
        name: z.string().describe("The login, if it is a user."),
        members: z.array(z.string()).describe("The members of an updated record that differ."),
      }),
    )
    .describe(`The first ${MAX_CHANGES} changes of records.`),
  samples: z
    .array(COMPARED_SAMPLE)
    .describe("With dryRun: a login of each of the first rules, as in a preview, if the file changes routing."),
  findings: COMPARED_SHAPE.describe("What the import adds to the findings about the rules, and removes from them."),
});

/** Import and export of the records of one org, see docs/reference/api/org-files.md. */
export function orgTransferResources({ store, settings, nextTurn }: ApiDependencies): Resource[] {
  const orgType = compileNamespace("api", settings.namespace).value;
  const file = createOrgFileShape(orgType);

  const guard = createTestGuard({ settings, nextTurn }, { changesTests: true });
  const transfers = { store, orgType, turns: createTurns(TURNS), nextTurn };

  return [
    {
      path: "/org/export",
      operations: {
        GET: {
          id: "exportOrg",
          summary: "Export the records of the org as a file",
          scope: "policies.read",
          furtherScopes: RESOURCES.map((name) => `${name}.read`),
          query: [flagParameter("users", "Whether users are in the file. By default they are.")],
          sent: { content: { name: "OrgFile", shape: file } },
          handlers: [createExport(transfers)],
        },
      },
    },
    {
      path: "/org/import",
      operations: {
        POST: {
          id: "importOrg",
          summary: "Import a file into the org",
          scope: "policies.manage",
          furtherScopes: RESOURCES.map((name) => `${name}.manage`),
          query: [
            flagParameter("dryRun", "Whether only to tell what the import would do. By default it does it."),
            flagParameter(
              "prune",
              "Whether to remove the records that the lists of the file leave out. By default they stay.",
            ),
            ...guard.query,
          ],
          bodies: json("OrgFileInput", file),
          bodyLimit: ORG_FILE_LIMITS.bytes,
          bodyMembers: ORG_FILE_LIMITS.members,
          sent: { content: { name: "ImportResult", shape: RESULT } },
          handlers: [createImport(transfers, guard)],
        },
      },
    },
  ];
}

interface Transfers {
  store: ApiDependencies["store"];
  orgType: string;
  turns: Turns;
  nextTurn: ApiDependencies["nextTurn"];
}

function createExport({ store, orgType, turns, nextTurn }: Transfers): RequestHandler {
  return async function exportOrg(req, res) {
    const { org } = getTenant(req);
    const users = readFlag(req, "users", true);
    const signal = departureOf(res);
    const data = store.forOrg(org.id, signal);
    const text = await turns.run(
      org.id,
      async () => {
        const document = await data.read(async (db) => {
          await assertExportable(db, org.id, users);
          return exportRecords(db, org.id, { orgType, users });
        });
        const { value } = await runInSlices(formatInSteps(document, ORG_FILE_LIMITS), nextTurn).catch(refuseLength);
        return `${value}\n`;
      },
      signal,
    );
    await data.write((transaction) => recordEvents(req, transaction, [describeOrg("export", org)]));
    res.setHeader("Content-Disposition", `attachment; filename="${org.subdomain}.json"`);
    res.type("json").send(text);
  };
}

function createImport({ store, orgType, turns, nextTurn }: Transfers, guard: WriteGuard): RequestHandler {
  return async function importOrg(req, res) {
    const { org } = getTenant(req);
    const isDryRun = readFlag(req, "dryRun", false);
    const prune = readFlag(req, "prune", false);
    const signal = departureOf(res);
    const work = () =>
      importIntoOrg(store.forOrg(org.id, signal), req.body, {
        org,
        orgType,
        isDryRun,
        prune,
        signal,
        nextTurn,
        begin: (transaction, orgId) => guard.begin(req, transaction, orgId),
        async record(transaction, events) {
          for await (const batch of batchesInTurns(events)) {
            await recordEvents(
              req,
              transaction,
              batch.map((describe) => describe()),
              { source: "import" },
            );
          }
        },
      });
    const { counts, revision, changes, samples, findings } = await turns.run(org.id, work, signal);
    res.json({
      dryRun: isDryRun,
      counts,
      revision,
      changes: changes.map(({ path, ...change }) => ({ ...change, place: formatPath(path) })),
      samples: samples.map((sample) => presentSample(sample, orgType)),
      findings: presentCompared(findings),
    });
  };
}

function flagParameter(name: string, description: string) {
  const parameter: QueryParameter = { shape: FLAG, description };
  return plainParameters({ [name]: parameter });
}

function readFlag(req: Request, name: string, byDefault: boolean): boolean {
  const text = getQuery(req).get(name);
  if (text === undefined) return byDefault;
  assertOneOf(name, text, FLAG.options);
  return text === "true";
}

/** Counted before they are read, so that a large org takes no memory. */
async function assertExportable(db: Db, orgId: string, withUsers: boolean): Promise<void> {
  const usage = await readUsage(db, orgId);
  const kinds = MANAGED_KINDS.filter((kind) => withUsers || kind !== "users");
  const count = kinds.reduce((sum, kind) => sum + (usage[kind] ?? 0), 0);
  if (count > ORG_FILE_LIMITS.records) throw tooLarge("records", count);
  const { idpBytes = 0, zoneBytes = 0, ruleBytes = 0, userBytes = 0 } = usage;
  const bytes = idpBytes + zoneBytes + ruleBytes + (withUsers ? userBytes : 0);
  if (bytes > ORG_FILE_LIMITS.bytes) throw tooLarge("bytes", bytes);
}

function refuseLength(error: unknown): never {
  throw error instanceof FormatError ? tooLarge(error.limit, error.count) : error;
}

function tooLarge(what: keyof typeof ORG_FILE_LIMITS, count: number) {
  const reason = `The file would have ${count} ${what} or more; at most ${ORG_FILE_LIMITS[what]} are allowed here.`;
  return invalid([["", `${reason} users=false leaves users out; the operator of the server can export everything.`]]);
}
