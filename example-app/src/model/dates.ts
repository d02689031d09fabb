/** The date so many milliseconds after `date`; `null` for never, after `Infinity`. */
export function dateAfter(date: string, milliseconds: number): string | null {
  return milliseconds === Infinity ? null : new Date(Date.parse(date) + milliseconds).toISOString();
}

/** The first of these dates; `null` stands for never. */
export function earliest(...dates: readonly (string | null)[]): string | null {
  return dates.reduce((first, date) => (first === null || (date !== null && date < first) ? date : first), null);
}
