/** The most events that the page keeps; as many more may wait until somebody asks for them. */
export const MAX_EVENTS = 5_000;

/**
 * The newest events. Those of one millisecond stay together, so that one can read on before the last.
 *
 * @param events the newest first
 */
export function keepNewest<E extends { readonly published: string }>(events: readonly E[]): readonly E[] {
  if (events.length <= MAX_EVENTS) return events;
  let count = MAX_EVENTS;
  while (count > 0 && events[count - 1]?.published === events[count]?.published) count--;
  return count === 0 ? events : events.slice(0, count);
}
