import type { RequestHandler } from "express";
import { compileNamespace } from "etiquette/namespace";
import type { z } from "zod";
import { createScopeCheck } from "../access/scope.js";
import { findTestedZones, runTests, type TestResult } from "../discovery/routing-tests.js";
import type { RoutingTest } from "../model/records.js";
import { createTurns } from "../pace/turns.js";
import { findRecord } from "../rest/reading.js";
import type { ApiDependencies, Resource } from "../rest/resource.js";
import { readRoutingTests, readZones } from "../store/records/queries.js";
import type { CompiledRouting } from "../tenancy/routing-cache.js";
import { getTenant } from "../tenancy/tenant.js";
import { atOneRevision, type ReadWithRouting } from "./current-routing.js";
import { POLICY } from "./policies.js";
import { presentProviders } from "./routing-outcome.js";
import { TEST_NEED } from "./profile-guard.js";

/** The tests of an org run for a second at most; so many requests of an org may wait. */
const TURNS = { size: 4, share: 1, maxWaiting: 20, patience: 60_000 };

interface Presentation {
  readonly shape: z.ZodType;
  /** A test as it is sent. */
  present: (test: RoutingTest) => RoutingTest;
}

/** Runs all tests with the routing of now. */
export function testResultsResource(
  { store, settings, routings, nextTurn }: ApiDependencies,
  path: string,
  { shape, present }: Presentation,
): Resource {
  const orgType = compileNamespace("api", settings.namespace).value;
  const assertReadsUsers = createScopeCheck(settings, "users.read");
  const turns = createTurns(TURNS);

  const results: RequestHandler = async (req, res) => {
    const { org } = getTenant(req);
    const work = async ({ route, run }: CompiledRouting, read: ReadWithRouting): Promise<string> => {
      const { tests, zones } = await read(async (db) => {
        await findRecord(POLICY, db, req);
        const tests = await readRoutingTests(db, org.id);
        return { tests, zones: tests.some(({ zone }) => zone !== undefined) ? await readZones(db, org.id) : [] };
      });
      const context = {
        zones: await run(findTestedZones(tests, zones)),
        lookupProfile(login: string, names: readonly string[]) {
          assertReadsUsers(req, TEST_NEED);
          return store.findUserProfile(org.id, login, names);
        },
      };
      const found: string[] = [];
      let passed = 0;
      for await (const result of runTests(route, tests, context, nextTurn)) {
        if (result.passed) passed++;
        found.push(JSON.stringify(presentResult(result)));
      }
      return `{"passed":${passed},"failed":${found.length - passed},"results":[${found.join(",")}]}`;
    };
    const data = store.forOrg(org.id);
    const json = await turns.run(org.id, () => atOneRevision({ routings, orgId: org.id, data }, work));
    res.type("json").send(json);
  };

  function presentResult({ test, passed, actual }: TestResult) {
    const { id, name, expected } = present(test);
    const answer = actual && { rule: actual.rule, providers: presentProviders(actual, orgType) };
    return { test: { id, name }, passed, expected, actual: answer ?? null };
  }

  return {
    path,
    operations: {
      GET: {
        id: "getRoutingTestResults",
        summary: "Run all routing tests",
        scope: "policies.read",
        cors: true,
        sent: { content: { name: "RoutingTestResults", shape } },
        handlers: [results],
      },
    },
  };
}
