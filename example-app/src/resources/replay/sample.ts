import { hash } from "node:crypto";
import { costOfFolding, foldIdentifier } from "../../discovery/identifier.js";
import type { Steps } from "../../pace/steps.js";
import type { AskedLogin } from "./asked-logins.js";

export interface SampleLimits {
  /** The most logins that are kept. */
  readonly logins: number;
  /** The most memory that they take, in bytes. */
  readonly bytes: number;
}

/** Distinct logins, each as it was added first. */
export interface LoginSample {
  add(asked: AskedLogin): Steps<void>;
  /** In the order in which they were added. */
  logins(): Iterable<AskedLogin>;
  /** Whether some were left out. */
  isPart(): boolean;
}

interface Kept {
  readonly asked: AskedLogin;
  readonly hash: number;
  readonly bytes: number;
}

/** One more than the largest hash. */
const HASH_END = 2 ** 32;

/** What a login takes beside its text, in bytes. */
const OVERHEAD = 256;

/** What a login costs, and one that is looked at again, see {@link Steps}. */
const LOGIN_COST = 3;
const DROP_COST = 0.2;

/**
 * Keeps all logins if they fit. Otherwise it keeps those whose hash is less than a limit, which is halved until they fit: a
 * uniform sample, and the same one whatever the order is.
 */
export function createLoginSample({ logins: most, bytes: maxBytes }: SampleLimits): LoginSample {
  const kept = new Map<string, Kept>(); // by the folded login
  let end = HASH_END;
  let bytes = 0;

  return {
    *add(asked) {
      const key = foldIdentifier(asked.login);
      yield LOGIN_COST + costOfFolding(asked.login);
      if (kept.has(key)) return;
      const place = hashOf(key);
      if (place >= end) return;
      const login = copyOf(asked.login);
      const size = OVERHEAD + 2 * (login.length + key.length);
      kept.set(copyOf(key), { asked: { ...asked, login }, hash: place, bytes: size });
      bytes += size;
      while (kept.size > most || bytes > maxBytes) {
        end /= 2;
        yield* dropOthers();
      }
    },
    *logins() {
      for (const { asked } of kept.values()) yield asked;
    },
    isPart: () => end < HASH_END,
  };

  function* dropOthers(): Steps<void> {
    for (const [key, { hash: place, bytes: size }] of kept) {
      yield DROP_COST;
      if (place < end) continue;
      kept.delete(key);
      bytes -= size;
    }
  }
}

function hashOf(text: string): number {
  return hash("sha256", text, "buffer").readUInt32BE();
}

/** A part of a text keeps the whole in memory. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}
