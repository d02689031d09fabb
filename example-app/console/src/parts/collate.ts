import { LOCALE } from "../texts/language.js";

const COLLATOR = new Intl.Collator(LOCALE, { numeric: true });

/** Sorts what has a name as people do: Partner 2 before Partner 10. */
export function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return COLLATOR.compare(a.name, b.name);
}

/** A copy in the order of {@link byName}. */
export function sortByName<T extends { readonly name: string }>(records: readonly T[]): T[] {
  return records.toSorted(byName);
}
