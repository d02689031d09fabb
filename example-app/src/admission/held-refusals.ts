import type { ErrorRequestHandler, Request } from "express";
import { tryGetTenant } from "../tenancy/tenant.js";

/** The bounds of {@link holdRefusals}. */
export interface HeldRefusalsOptions {
  /** Refusals of one org in a second that are sent at once. */
  perSecond?: number;
  /** Milliseconds that each further refusal waits. */
  delay?: number;
  /** Refusals that wait at a time. What comes then is sent at once. */
  maxHeld?: number;
  orgOf?: (req: Request) => string | undefined;
  /** Milliseconds since any start. */
  now?: () => number;
}

/**
 * Hold the refusals (4xx) of an org when there are many in a second. Whoever asks at full speed for what is refused then waits,
 * and leaves the processor to the others. Requests that succeed never wait. Mount it before the error formatter.
 */
export function holdRefusals({
  perSecond = 100,
  delay = 200,
  maxHeld = 10_000,
  orgOf = (req) => tryGetTenant(req)?.org.id,
  now = () => performance.now(),
}: Readonly<HeldRefusalsOptions> = {}): ErrorRequestHandler {
  const counts = new Map<string | undefined, number>(); // by org, in this second
  let second = 0;
  let held = 0;

  return function holdRefusalsMiddleware(error: unknown, req, res, next) {
    if (!isRefusal(error) || !isTooMany(orgOf(req)) || held === maxHeld) {
      next(error);
      return;
    }
    held++;
    const timer = setTimeout(() => {
      res.off("close", release);
      release();
      next(error);
    }, delay);
    res.once("close", release); // the client is gone

    function release(): void {
      clearTimeout(timer);
      held--;
    }
  };

  function isTooMany(orgId: string | undefined): boolean {
    const current = Math.floor(now() / 1_000);
    if (current !== second) {
      second = current;
      counts.clear();
    }
    const count = (counts.get(orgId) ?? 0) + 1;
    counts.set(orgId, count);
    return count > perSecond;
  }
}

function isRefusal(error: unknown): boolean {
  const { status } = error as { status?: unknown };
  return typeof status === "number" && status >= 400 && status < 500;
}
