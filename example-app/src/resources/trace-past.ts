import type { Request } from "express";
import type { Page } from "etiquette/pagination";
import { compileRoutingInSteps, type Answer } from "../discovery/compile-routing.js";
import type { Question } from "../discovery/conditions.js";
import { compileRecordsInSteps } from "../discovery/records.js";
import type { Rule } from "../model/records.js";
import { createStepsRunner, type NextTurn } from "../pace/slices.js";
import type { Steps } from "../pace/steps.js";
import { createTurns } from "../pace/turns.js";
import { invalid } from "../rest/body.js";
import type { Db } from "../store/contract/schema.js";
import { readPastRouting } from "../store/history/past-routing.js";
import { findLatest } from "../store/history/revision-list.js";
import { readKnown } from "../store/history/walk.js";
import type { OrgStore } from "../store/store.js";
import type { CompiledRouting } from "../tenancy/routing-cache.js";
import { assertKnown, readDate, readNumber } from "./revisions/numbers.js";
import { costOfRule, type Found, type TriedRule } from "./trace-page.js";

/** Each trace of the past compiles the rules of its org, which takes memory; so many of an org may wait. */
const TURNS = { size: 2, share: 1, maxWaiting: 20, patience: 60_000 };

/** A state of the past that a trace explains. */
interface Moment {
  readonly revision: number | undefined;
  readonly at: string | undefined;
}

/** What decided for a login, and the rules of a page. */
export interface Traced {
  readonly answer: Answer;
  readonly routing: Pick<CompiledRouting, "records" | "run">;
  readonly found: Found;
  /** The rule that matched, then those of the page and one more. */
  readonly tried: readonly TriedRule[];
  /** What is not of today, and what is. */
  readonly moment?: { readonly asOf: { revision: number; published: string | null }; readonly ofToday: string[] };
}

/** @throws {ApiError} when the parameters are wrong */
export function readMoment(req: Request): Moment | undefined {
  const [revision, at] = [readNumber(req, "revision"), readDate(req, "at")];
  if (revision === undefined && at === undefined) return undefined;
  if (revision !== undefined && at !== undefined) throw invalid([["at", "excludes revision; give one of them"]]);
  if (at !== undefined && at > new Date().toISOString()) throw invalid([["at", "is in the future"]]);
  return { revision, at };
}

interface PastOptions {
  readonly data: Pick<OrgStore, "read">;
  readonly orgId: string;
  readonly moment: Moment;
  readonly question: Question;
  readonly page: Page;
}

/** A function that asks the rules as they were. Nothing of them is kept. */
export function createPastTrace(nextTurn?: NextTurn) {
  const turns = createTurns(TURNS);
  const run = createStepsRunner(nextTurn ?? (() => new Promise(setImmediate)));

  return function tracePast({ data, orgId, moment, question, page }: PastOptions): Promise<Traced> {
    return turns.run(orgId, async () => {
      const { asOf, past } = await data.read(async (db) => {
        const asOf = await findMoment(db, orgId, moment);
        return { asOf, past: await readPastRouting(db, orgId, asOf.revision) };
      });
      const records = await run(compileRecordsInSteps(past));
      const route = await run(compileRoutingInSteps({ rules: past.rules, records }, run));
      const answer = await route(question);
      const tried = await run(takeTried(past.rules, answer.rule.id, page));
      const found = { rows: tried.slice(1).map(({ row }) => row), isCut: false };
      return { answer, routing: { records, run }, found, tried, moment: { asOf, ofToday: ["user attributes"] } };
    });
  };
}

async function findMoment(db: Db, orgId: string, { revision, at = "" }: Moment) {
  const known = await readKnown(db, orgId);
  if (revision !== undefined) {
    assertKnown(revision, known);
    return { revision, published: (await findLatest(db, orgId, { revision }))?.published ?? null };
  }
  const latest = await findLatest(db, orgId, { published: at });
  if (latest) return latest;
  throw invalid([["at", "is before the history begins; the list of revisions tells what it has"]]);
}

/** The rule that matched, and the rules before it that the page has. */
function* takeTried(rules: Iterable<Rule>, matched: string, page: Page): Steps<TriedRule[]> {
  const first = Number(page.after?.[1] ?? 0);
  const last = Number(page.before?.[1] ?? Infinity);
  const tried: TriedRule[] = [];
  for (const rule of rules) {
    yield costOfRule(rule);
    const { id, priority: position } = rule;
    const one = { row: { id, position, system: rule.system ? 1 : 0 }, rule };
    const isOnPage =
      position > first && position < last && (page.before !== undefined || tried.length < page.fetchLimit);
    if (isOnPage && tried.push(one) > page.fetchLimit) tried.shift();
    if (id === matched) return [one, ...(page.before ? tried.reverse() : tried)];
  }
  throw new Error(`The rule ${matched} matched, but there is none`);
}
