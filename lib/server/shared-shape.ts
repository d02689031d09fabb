/**
 * Until version 13, that of Node 24, V8 makes a hidden class for every single object whose prototype was changed and that
 * then got a property, as requests and responses do in Express; whatever uses one later misses every inline cache.
 */
export const HAS_LONE_SHAPES: boolean = Number.parseInt(process.versions.v8, 10) < 13;

/** No other name, so that nothing that is there is deleted. */
const PASSING = Symbol("etiquette.passing");

/**
 * Have `object` share its hidden class again with those like it. Changes nothing else: neither its properties nor their
 * order.
 */
export function shareShape(object: object): void {
  // To delete what was added last goes back to the hidden class before; where that has no parent V8 makes the object a
  // hash table instead, and hash tables with the same prototype share one.
  (object as { [PASSING]?: true })[PASSING] = true;
  // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- this is what does it
  delete (object as { [PASSING]?: true })[PASSING];
}
