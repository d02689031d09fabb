import type { Check, Need } from "./check.js";
import { ExchangeError } from "./connection.js";
import type { Exchange } from "./exchange.js";
import { Probe } from "./probe.js";
import { pathOf, type RunPlan } from "./run-plan.js";
import { NotApplicable, TimeLimitError } from "./verdict.js";

/** Of what is said of a check, which may repeat what the API sent. */
const MAX_MESSAGE_LENGTH = 500;

export interface CheckResult {
  readonly check: Check;
  readonly outcome: "passed" | "finding" | "skipped";
  /** What was found, or why the check was skipped. */
  readonly message?: string;
  readonly exchanges: readonly Exchange[];
}

export interface Report {
  readonly results: readonly CheckResult[];
  /** How many requests were sent. */
  readonly requests: number;
  /** Whether neither the time limit nor the API's own limits kept a check from running. */
  readonly complete: boolean;
  /** What the person who reads the report must do, such as restore the resource. */
  readonly notes: readonly string[];
}

/** The API can't be checked at all: one sentence. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
}

type Condition = (plan: RunPlan) => boolean;

const NEEDS: Readonly<Record<Exclude<Need, "success">, readonly [met: Condition, reason: string]>> = {
  api: [
    (plan) => !pathOf(plan).startsWith("/.well-known/webfinger"),
    "WebFinger has rules of its own: every origin may read it, and it is never 406.",
  ],
  list: [({ list }) => list !== undefined, "It needs --list."],
  resource: [({ resource }) => resource !== undefined, "It needs --resource."],
  write: [({ write }) => write, "It needs --write."],
  object: [({ writable }) => writable !== undefined, "It needs --write and --writable."],
  writable: [({ writable }) => writable !== undefined, "It needs --write and --writable."],
  field: [({ field }) => field !== undefined, "It needs --field."],
  origin: [({ origin }) => origin !== undefined, "It needs --origin."],
  filter: [({ filter }) => filter !== undefined, "It needs --filter."],
  credentials: [
    ({ headers }) => headers.some(([name]) => name.toLowerCase() === "authorization"),
    "It needs an Authorization header.",
  ],
  tls: [({ url }) => url.protocol === "https:", "It needs an https: URL."],
  http: [({ url }) => url.protocol === "http:", "It needs an http: URL."],
};

/**
 * Run `checks` one after the other.
 *
 * @param onResult called after each check
 * @throws {UnreachableError} when the first request gets no response
 */
export async function runChecks(
  plan: RunPlan,
  checks: readonly Check[],
  onResult: (result: CheckResult) => void = () => undefined,
): Promise<Report> {
  const probe = new Probe(plan);
  await assertReachable(probe);
  const results: CheckResult[] = [];
  for (const check of checks) {
    const result = await runCheck(probe, check);
    results.push(result);
    onResult(result);
  }
  const complete = !probe.expired && !probe.limited;
  const notes = [
    ...(probe.expired ? ["The time limit was reached; --time-limit sets another."] : []),
    ...(probe.limited ? ["The API refused requests with 429; --rate sets how many a second are sent."] : []),
    ...(await probe.writable.restore()).map(probe.redact),
  ];
  return { results, requests: probe.requests, complete, notes };
}

async function assertReachable(probe: Probe): Promise<void> {
  try {
    await probe.first();
  } catch (error) {
    if (error instanceof TimeLimitError || error instanceof NotApplicable) throw new UnreachableError(error.message);
    if (!(error instanceof ExchangeError)) throw error;
    const { reason, message } = error;
    const hint = reason === "certificate" ? " Give the certificate of its CA with --ca." : "";
    throw new UnreachableError(`GET ${probe.path} on ${probe.host}: ${message}${hint}`);
  }
}

async function runCheck(probe: Probe, check: Check): Promise<CheckResult> {
  probe.takeExchanges();
  const done = (outcome: CheckResult["outcome"], message?: string): CheckResult => ({
    check,
    outcome,
    ...(message !== undefined && { message: cut(probe.redact(message)) }),
    exchanges: probe.takeExchanges(),
  });
  try {
    const unmet = await findUnmetNeed(probe, check);
    if (unmet !== undefined) return done("skipped", unmet);
    const verdict = await check.run(probe);
    return verdict === undefined ? done("passed") : done("finding", verdict);
  } catch (error) {
    if (error instanceof TimeLimitError || error instanceof NotApplicable) return done("skipped", error.message);
    if (error instanceof ExchangeError) return done("finding", error.message);
    throw error;
  }
}

async function findUnmetNeed(probe: Probe, { needs = [] }: Check): Promise<string | undefined> {
  for (const need of needs) {
    const [met, reason] = need === "success" ? [() => true, ""] : NEEDS[need];
    if (!met(probe.plan)) return reason;
    if (need === "success" || need === "list") {
      const target = need === "list" ? probe.plan.list : probe.path;
      const { ok, status } = await probe.first(target);
      if (!ok) return `GET ${target ?? ""} is ${status}; name a path that is 2xx with --resource or --list.`;
    }
    if (need === "writable") {
      if (!(await isAccepted(probe))) return "The API refuses a write that changes nothing: see write-accepted.";
      probe.takeExchanges();
    }
  }
  return undefined;
}

async function isAccepted(probe: Probe): Promise<boolean> {
  try {
    return (await probe.writable.plain()).ok;
  } catch (error) {
    if (error instanceof ExchangeError) return false;
    throw error;
  }
}

function cut(message: string): string {
  return message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH - 1)}…` : message;
}
