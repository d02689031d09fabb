import { setImmediate } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import {
  findTestedZones,
  runTests,
  type TestContext,
  type TestedZones,
  type TestResult,
} from "../discovery/routing-tests.js";
import { excerpt } from "../model/faults.js";
import type { RoutingTest } from "../model/records.js";
import { createStepsRunner, type NextTurn } from "../pace/slices.js";
import type { Db } from "../store/contract/schema.js";
import type { WriteTransaction } from "../store/contract/transaction.js";
import { readRoutingTests, readUserProfile } from "../store/records/queries.js";
import { IDPS } from "../store/records/resource-tables.js";
import { readRoutingData, type RoutingData } from "../store/records/routing-data.js";
import { RULES } from "../store/records/rules.js";
import { compileInSteps } from "./routing-cache.js";

/** The failing tests that an error names. */
const MAX_NAMED = 20;

export interface TestedChangeOptions {
  /**
   * Throws when the caller may not learn what the profile of a user decides.
   *
   * @default never
   */
  readonly assertReadsUsers?: () => void;
  /** @default false */
  readonly changesTests?: boolean;
  readonly nextTurn?: NextTurn | undefined;
}

/** Why a change is refused. */
export interface FailingTests {
  /** The first {@link MAX_NAMED}, then how many there are beside them. */
  readonly causes: readonly string[];
}

/**
 * Read what the tests of an org need of its routing before a change. Call it in the transaction that makes the change, when
 * no other change of the org can be made.
 *
 * @returns a function that runs the tests after the change: `undefined` unless a test fails that is new or another one than
 * before the change, or passed before it
 */
export async function beginTestedChange(
  transaction: WriteTransaction,
  orgId: string,
  options: TestedChangeOptions = {},
): Promise<() => Promise<FailingTests | undefined>> {
  const { db } = transaction;
  const present = await readRoutingTests(db, orgId);
  const known = new Map(present.map((test) => [test.id, test]));
  const before = present.length > 0 ? await readRoutingData(db, orgId) : undefined;

  return async () => {
    const tests = options.changesTests === true ? await readRoutingTests(db, orgId) : present;
    const after = tests.length > 0 ? await readRoutingData(db, orgId) : undefined;
    if (!after) return undefined;
    const { results, zones } = await run(after, tests);
    const failed = results.filter(({ passed }) => !passed);
    const old = failed.filter(({ test }) => isDeepStrictEqual(test, known.get(test.id))).map(({ test }) => test);
    const earlier = before && old.length > 0 ? (await run(before, old)).results : [];
    const failedBefore = new Set(earlier.filter(({ passed }) => !passed).map(({ test }) => test.id));
    const broken = failed.filter(({ test }) => !failedBefore.has(test.id));
    return broken.length === 0 ? undefined : describeAll(db, orgId, broken, zones);
  };

  async function run(data: RoutingData, tests: readonly RoutingTest[]) {
    const { nextTurn = setImmediate, assertReadsUsers } = options;
    const runner = createStepsRunner(nextTurn);
    const zones = await runner(findTestedZones(tests, data.zones));
    const { route } = await runner(compileInSteps(data, runner));
    const lookupProfile: TestContext["lookupProfile"] = (login, names) => {
      assertReadsUsers?.();
      return readUserProfile(transaction, orgId, login, names);
    };
    const results: TestResult[] = [];
    for await (const result of runTests(route, tests, { zones, lookupProfile }, nextTurn)) results.push(result);
    return { results, zones };
  }
}

async function describeAll(
  db: Db,
  orgId: string,
  broken: readonly TestResult[],
  zones: TestedZones,
): Promise<FailingTests> {
  const causes: string[] = [];
  for (const result of broken.slice(0, MAX_NAMED)) causes.push(await describe(db, orgId, result, zones));
  if (broken.length > MAX_NAMED) causes.push(`${broken.length - MAX_NAMED} more tests fail.`);
  return { causes };
}

/** `"Joe": joe@example.com from "Office": expected "Contoso", got the org itself (rule "Default Rule")` */
async function describe(db: Db, orgId: string, { test, actual }: TestResult, zones: TestedZones): Promise<string> {
  const { name, login, clientIp, zone, expected } = test;
  const { provider, rule } = expected;
  const place = zone === undefined ? clientIp : excerpt(zones.get(zone)?.name ?? zone);
  const asked = `${excerpt(name)}: ${login}${place === undefined ? "" : ` from ${place}`}`;
  if (!actual) return `${asked}: the zone is gone or has no gateway`;
  const wanted = [
    provider && nameProvider(provider.id, (await IDPS.find(db, orgId, provider.id ?? ""))?.name),
    rule === undefined ? undefined : `the rule ${excerpt((await RULES.find(db, orgId, rule))?.name ?? rule)}`,
  ];
  const [first] = actual.providers;
  const got = first === "org" || !first ? nameProvider(undefined) : nameProvider(first.id, first.name);
  const text = wanted.filter((part) => part !== undefined).join(" by ");
  return `${asked}: expected ${text}, got ${got} (rule ${excerpt(actual.rule.name)})`;
}

function nameProvider(id: string | undefined, name: string | undefined = id): string {
  return name === undefined ? "the org itself" : excerpt(name);
}
