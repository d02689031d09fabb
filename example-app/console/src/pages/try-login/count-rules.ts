import type { TracedRule } from "../../api/types.js";
import { tryAnswer as texts } from "../../texts/en/try-answer.js";

/** What was read of the rules before the one that decides. */
interface Counted {
  readonly all: number;
  readonly read: number;
  readonly inactive: number;
  readonly withoutProvider: number;
}

/** @param all how many there are, read or not */
export function countBefore(all: number, rules: readonly TracedRule[]): Counted {
  const count = (reason: TracedRule["reason"]) => rules.filter((rule) => rule.reason === reason).length;
  return {
    all,
    read: rules.length,
    inactive: count("INACTIVE"),
    withoutProvider: count("NO_ACTIVE_PROVIDER"),
  };
}

/** `33 rules before it don't match`, which is known of each only when all are read and none is skipped. */
export function describeRead({ all, read, inactive, withoutProvider }: Counted): string {
  const missed = all - inactive - withoutProvider;
  if (read < all) return texts.notDeciding({ n: all });
  return missed === 0 ? texts.notTried : texts.notMatching({ n: missed });
}

/** `2 are skipped: 1 is off, 1 has no active provider.` */
export function describeSkipped({ all, read, inactive, withoutProvider }: Counted): string | undefined {
  const skipped = inactive + withoutProvider;
  if (skipped === 0) return read < all ? texts.noneSkipped({ read }) : undefined;
  const reasons = [
    ...(inactive > 0 ? [texts.off({ n: inactive })] : []),
    ...(withoutProvider > 0 ? [texts.withoutProvider({ count: withoutProvider })] : []),
  ].join(texts.comma);
  return read < all ? texts.skippedOf({ n: skipped, read, reasons }) : texts.skipped({ n: skipped, reasons });
}
