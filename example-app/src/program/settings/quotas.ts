import { DEFAULT_QUOTAS, MAX_QUOTA, QUOTA_NAMES, type QuotaName, type Quotas } from "../../model/quotas.js";
import { splitList } from "./shapes.js";

const ENTRY_REGEXP = /^(\w+)=(\d{1,13})$/;

const EXPECTED = `must be a list such as users=5000,rules=200, each once, up to ${MAX_QUOTA}: ${QUOTA_NAMES.join(", ")}`;

/**
 * Parse `users=5000,rules=200`. What the list leaves out keeps its default.
 *
 * @throws {RangeError} with the end of a sentence that begins with the name of the setting
 */
export function parseQuotas(text: string): Quotas {
  const quotas: Record<QuotaName, number> = { ...DEFAULT_QUOTAS };
  const given = new Set<string>();
  for (const entry of text === "" ? [] : splitList(text)) {
    const [, name = "", digits] = ENTRY_REGEXP.exec(entry) ?? [];
    const value = Number(digits);
    if (!Object.hasOwn(quotas, name) || given.has(name) || value > MAX_QUOTA) throw new RangeError(EXPECTED);
    given.add(name);
    quotas[name as QuotaName] = value;
  }
  return quotas;
}
