import { setImmediate } from "node:timers/promises";
import { parseUserAgent } from "etiquette/request-context";
import type { RoutingTest, Zone } from "../model/records.js";
import type { NextTurn } from "../pace/slices.js";
import type { Steps } from "../pace/steps.js";
import type { Answer, Routing } from "./compile-routing.js";
import type { Question } from "./conditions.js";
import { toClientPlatform } from "./platform.js";

/** Tests that run in one turn of the event loop: one takes a millisecond at most. */
const TESTS_PER_TURN = 8;

/** What a test finds. */
export interface TestResult {
  readonly test: RoutingTest;
  readonly passed: boolean;
  /** `undefined` when the zone of the test is gone or has no gateway. */
  readonly actual: Answer | undefined;
}

/** A zone from which tests ask. */
interface TestedZone {
  readonly name: string;
  /** The first address of its first gateway. */
  readonly address: string | undefined;
}

/** The zones that tests name, by id. */
export type TestedZones = ReadonlyMap<string, TestedZone>;

/** What a test needs beside the routing. */
export interface TestContext {
  readonly zones: TestedZones;
  readonly lookupProfile: (login: string, names: readonly string[]) => ReturnType<Question["lookupProfile"]>;
}

/** What reading a zone costs, and each of its ranges, see {@link Steps}. */
const ZONE_COST = 10;
const RANGE_COST = 1;

/** The zones that the tests name. Each is taken only when the one before is done. */
export function* findTestedZones(tests: readonly RoutingTest[], zones: Iterable<Zone>): Steps<TestedZones> {
  const wanted = new Set(tests.flatMap(({ zone }) => zone ?? []));
  const found = new Map<string, TestedZone>();
  if (wanted.size === 0) return found;
  for (const { id, name, gateways, proxies } of zones) {
    yield ZONE_COST + RANGE_COST * (gateways.length + proxies.length);
    if (wanted.has(id)) found.set(id, { name, address: gateways[0] && addressIn(gateways[0].value) });
  }
  return found;
}

/** The first address in `192.0.2.0/24` or `192.0.2.1-192.0.2.9`. */
function addressIn(range: string): string {
  return range.replace(/[/-].*/, "");
}

/** Run tests, some in each turn of the event loop. */
export async function* runTests(
  route: Routing,
  tests: readonly RoutingTest[],
  context: TestContext,
  nextTurn: NextTurn = setImmediate,
): AsyncGenerator<TestResult> {
  for (const [i, test] of tests.entries()) {
    if (i % TESTS_PER_TURN === 0) await nextTurn();
    yield await runTest(route, test, context);
  }
}

/** Ask the routing what a test asks. The client is in no zone unless the test says where it is. */
async function runTest(route: Routing, test: RoutingTest, context: TestContext): Promise<TestResult> {
  const { login, zone, userAgent } = test;
  const clientIp = zone === undefined ? test.clientIp : context.zones.get(zone)?.address;
  if (zone !== undefined && clientIp === undefined) return { test, passed: false, actual: undefined };
  const actual = await route({
    login,
    clientIp,
    platform: toClientPlatform(parseUserAgent(userAgent ?? "")),
    lookupProfile: (names) => context.lookupProfile(login, names),
  });
  return { test, passed: isExpected(test, actual), actual };
}

function isExpected({ expected: { provider, rule } }: RoutingTest, actual: Answer): boolean {
  const [first] = actual.providers;
  if (rule !== undefined && rule !== actual.rule.id) return false;
  return provider === undefined || provider.id === (first === "org" ? undefined : first?.id);
}
