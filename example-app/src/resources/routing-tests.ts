import type { Request } from "express";
import { compileNamespace } from "etiquette/namespace";
import { describeRoutingTest, toLogEntity } from "../audit/describe-change.js";
import { createId } from "../model/ids.js";
import { ORG_PROVIDER } from "../model/orgs.js";
import type { RoutingTest } from "../model/records.js";
import { parseBody } from "../rest/body.js";
import { findRecord, getOperation, listOperation } from "../rest/reading.js";
import { json, type ApiDependencies, type Resource } from "../rest/resource.js";
import { listPathOf, type ResourceType } from "../rest/resource-type.js";
import { createWriter, NO_CONTENT } from "../rest/writing.js";
import type { RoutingTestRow } from "../store/contract/schema.js";
import type { WriteTransaction } from "../store/contract/transaction.js";
import { ROUTING_TESTS } from "../store/records/resource-tables.js";
import { POLICY } from "./policies.js";
import { testResultsResource } from "./routing-test-results.js";
import { createTestShapes } from "./routing-test-shapes.js";
import { assertTestReferences } from "./rule-references.js";

type TestType = ResourceType<RoutingTestRow, RoutingTest, "create" | "update" | "delete">;

/** What administrators expect of the routing, see docs/reference/api/routing-tests.md. */
export function routingTestResources(dependencies: ApiDependencies): Resource[] {
  const orgType = compileNamespace("api", dependencies.settings.namespace).value;
  const shapes = createTestShapes(orgType);
  const present = (test: RoutingTest): RoutingTest => withType(test, orgType);

  const type: TestType = {
    label: "RoutingTest",
    path: `${POLICY.path}/routingTests/:testId`,
    shape: shapes.sent,
    cors: ["read"],
    table: ROUTING_TESTS,
    isRouted: false,
    taken: "another routing test has it already",
    findParents: async (db, req) => [toLogEntity(await findRecord(POLICY, db, req), POLICY.label)],
    select: () => ({ order: [{ column: "name" }] }),
    format: present,
    describe: describeRoutingTest,
  };
  const { create, replace, remove } = createWrites(type, shapes.body, dependencies);

  return [
    { path: listPathOf(type), operations: { GET: listOperation(type, dependencies), POST: create } },
    testResultsResource(dependencies, `${listPathOf(type)}/results`, { shape: shapes.results, present }),
    { path: type.path, operations: { GET: getOperation(type, dependencies), PUT: replace, DELETE: remove } },
  ];
}

function createWrites(
  type: TestType,
  shape: ReturnType<typeof createTestShapes>["body"],
  { store }: Pick<ApiDependencies, "store">,
) {
  const writer = createWriter(type, store);
  const bodies = json("RoutingTestInput", shape);

  /** The test in a body. Its id and dates are those of `before`, or new. */
  const draft = (req: Request) => {
    const values = parseBody(shape, req.body);
    return async (transaction: WriteTransaction, orgId: string, before?: RoutingTest): Promise<RoutingTest> => {
      await assertTestReferences(transaction, orgId, values);
      const { now } = transaction;
      const { id, created, lastUpdated } = before ?? { id: createId(), created: now, lastUpdated: now };
      return { id, ...withType(values, ORG_PROVIDER), created, lastUpdated };
    };
  };

  return {
    create: writer.create(draft, () => ["create"], { bodies }),
    replace: writer.change(
      (req) => {
        const apply = draft(req);
        return async (before, transaction, orgId) => {
          return { after: await apply(transaction, orgId, before), event: "update" };
        };
      },
      { verb: "replace", bodies },
    ),
    remove: writer.change(() => () => ({ after: undefined, event: "delete" }), {
      verb: "delete",
      answer: NO_CONTENT,
    }),
  };
}

/** Without an id, the provider is the org itself, whose type depends on the namespace. */
function withType<T extends Pick<RoutingTest, "expected">>(test: T, type: string): T {
  const { provider } = test.expected;
  if (!provider || provider.id !== undefined) return test;
  return { ...test, expected: { ...test.expected, provider: { type } } };
}
