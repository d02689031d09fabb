import type { Request } from "express";
import type { Logger } from "pino";
import { routeOf } from "../audit/request-facts.js";
import { createTurnWatch, type LongTurn, type TurnWatch, type TurnWatchOptions } from "../pace/turn-watch.js";
import { tryGetTenant } from "../tenancy/tenant.js";
import { operationOf } from "./operations.js";
import type { Registration } from "./registration.js";

/** The program log has at most one line about long turns in this time, in milliseconds. */
const REPORT_MS = 1_000;

/** Work of the server's own, which no request waits for. */
const BACKGROUND = "background";

/** Turns in which nobody had half of the time. */
const SEVERAL = "several";

/** What the metrics are told of a long turn. */
export type CountLongTurn = (operation: string, seconds: number) => void;

export interface LongTurnOptions extends Pick<TurnWatchOptions, "clock" | "atEnd"> {
  readonly log: Pick<Logger, "warn">;
  /** @default nobody counts */
  readonly count?: CountLongTurn | undefined;
  /**
   * Whether somebody could wait for the turn: nobody does while the server starts or ends.
   *
   * @default () => true
   */
  readonly isServing?: () => boolean;
}

/** Watch the turns of the event loop, and tell the program log and the metrics of those that are long. */
export function watchTurns({
  log,
  count,
  isServing = () => true,
  clock = () => performance.now(),
  atEnd,
}: LongTurnOptions): TurnWatch {
  let lastLine = -Infinity;
  let omitted = 0;

  function report(turn: LongTurn): void {
    if (!isServing()) return;
    const { operation, ...facts } = describe(turn);
    count?.(operation, turn.duration / 1_000);
    const now = clock();
    if (now - lastLine < REPORT_MS) {
      omitted++;
      return;
    }
    log.warn({ durationMs: Math.round(turn.duration), operation, ...facts, omitted }, "long turn of the event loop");
    lastLine = now;
    omitted = 0;
  }

  return createTurnWatch({ report, clock, ...(atEnd && { atEnd }) });
}

/** The metrics of long turns. Their only label has the values of `operationOf()` and two more. */
export function createTurnMetrics({ client, registers }: Registration): CountLongTurn {
  const turns = new client.Counter({
    name: "etiquette_long_turns_total",
    help: "Turns of the event loop over 20 ms, by the operation that took most of the time, background, or several",
    labelNames: ["operation"],
    registers,
  });
  const longest = new client.Gauge({
    name: "etiquette_longest_turn_seconds",
    help: "The longest of these turns since the start",
    labelNames: ["operation"],
    registers,
  });
  turns.inc({ operation: BACKGROUND }, 0); // an alert on the first one needs the zero before it
  const seconds = new Map<string, number>();

  return (operation, duration) => {
    turns.inc({ operation });
    if (duration <= (seconds.get(operation) ?? 0)) return;
    seconds.set(operation, duration);
    longest.set({ operation }, duration);
  };
}

/** Says whose turn it was and what they did, without values that a client sent. */
function describe({
  duration,
  share,
  who,
  what,
}: LongTurn): Readonly<{ operation: string; org?: string; did?: string }> {
  if (share < duration / 2) return { operation: SEVERAL };
  if (who === undefined) return { operation: BACKGROUND, did: what };
  const req = who as Request;
  const { method, originalUrl: url } = req;
  const operation = operationOf({ facts: { method, url }, route: routeOf(req) });
  const org = tryGetTenant(req)?.org.subdomain;
  return { operation, ...(org !== undefined && { org }), did: what };
}
