import { z } from "zod";
import type { RuleChange } from "../../discovery/changed-routing.js";
import { CLIENT_SYSTEMS, CLIENT_TYPES } from "../../discovery/platform.js";
import { DATE } from "../../model/sent-shapes.js";
import { OUTCOME, presentOutcome, presentProvider, PROVIDER } from "../routing-outcome.js";
import { REPLAY_LIMITS, type Replay } from "./replay.js";

const COUNT = z.int().min(0);

const EXAMPLE = z.object({
  login: z.string(),
  client: z
    .object({
      ipAddress: z.string().nullable(),
      platform: z.object({ type: z.enum(CLIENT_TYPES), os: z.enum(CLIENT_SYSTEMS) }),
    })
    .describe("The client of the newest event of the login."),
  before: OUTCOME,
  after: OUTCOME,
});

export const REPLAY_SHAPE = z
  .object({
    since: DATE.describe("The oldest event that was read; as asked if there is none."),
    until: DATE,
    events: COUNT.describe(`WebFinger queries and sign-ons that were read, at most ${REPLAY_LIMITS.events}.`),
    unreadable: COUNT.describe("Those of them whose login was erased or cut."),
    logins: COUNT.describe(`The distinct logins that were replayed, at most ${REPLAY_LIMITS.logins}.`),
    sampled: z.boolean().describe("Whether they are a sample of more."),
    complete: z.boolean().describe("False when a limit of events or time ended the replay early."),
    changed: COUNT.describe("How many logins get other providers, or another order."),
    moves: z
      .array(
        z.object({
          from: PROVIDER,
          to: PROVIDER,
          count: z.int().min(1),
          examples: z.array(EXAMPLE).describe(`The first ${REPLAY_LIMITS.examples}, those asked for last first.`),
        }),
      )
      .describe(`By their first providers; the ${REPLAY_LIMITS.moves} with the most logins.`),
    others: COUNT.describe("The logins of all other moves."),
  })
  .meta({ id: "Replay" });

export function presentReplay(
  { isSample, isComplete, moves, ...replay }: Replay,
  change: RuleChange,
  orgType: string,
): z.infer<typeof REPLAY_SHAPE> {
  const { since, until, events, unreadable, logins, changed, others } = replay;
  return {
    since,
    until,
    events,
    unreadable,
    logins,
    sampled: isSample,
    complete: isComplete,
    changed,
    moves: moves.map(({ from, to, count, examples }) => ({
      from: presentProvider(from, orgType),
      to: presentProvider(to, orgType),
      count,
      examples: examples.map(({ asked: { login, clientIp, platform }, before, after }) => ({
        login,
        client: { ipAddress: clientIp ?? null, platform },
        before: presentOutcome(before, change, orgType),
        after: presentOutcome(after, change, orgType),
      })),
    })),
    others,
  };
}
