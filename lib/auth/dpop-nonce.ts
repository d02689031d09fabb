import { createHmac, timingSafeEqual } from "node:crypto";

/** In bytes, of base64url text: the number of the period, then a MAC of it. */
const PERIOD_LENGTH = 6;
const MAC_LENGTH = 16;

export interface DpopNonces {
  /** The nonce that clients should use now. */
  readonly current: () => string;
  /** Whether a nonce is the current one, or one of the period before. */
  readonly judge: (nonce: string) => "current" | "previous" | "unknown";
}

/**
 * Make nonces that need no memory: every node with the same secrets knows them. Each is good for one to two periods.
 *
 * @param secrets the first makes nonces, all are accepted
 * @param lifetime of a nonce at the longest, in milliseconds
 */
export function compileDpopNonces(
  secrets: readonly (string | Uint8Array)[],
  lifetime: number,
  now: () => number,
): DpopNonces {
  const length = lifetime / 2;
  const periodOf = (time: number) => Math.floor(time / length);
  return {
    current: () => format(periodOf(now()), secrets[0] ?? ""),
    judge(nonce) {
      const period = periodOf(now());
      if (secrets.some((secret) => isEqual(nonce, format(period, secret)))) return "current";
      return secrets.some((secret) => isEqual(nonce, format(period - 1, secret))) ? "previous" : "unknown";
    },
  };
}

function format(period: number, secret: string | Uint8Array): string {
  const bytes = Buffer.alloc(PERIOD_LENGTH + MAC_LENGTH);
  bytes.writeUIntBE(period, 0, PERIOD_LENGTH);
  createHmac("sha256", secret)
    .update("dpop nonce")
    .update(bytes.subarray(0, PERIOD_LENGTH))
    .digest()
    .copy(bytes, PERIOD_LENGTH);
  return bytes.toString("base64url");
}

function isEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
