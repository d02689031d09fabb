/**
 * Whether V8 is older than version 13, that of Node 24. Such a V8 makes a separate hidden class for each object whose
 * prototype was changed and that then got a property, as requests and responses do in Express. Code that uses such an
 * object misses every inline cache.
 */
export const HAS_LONE_SHAPES: boolean = Number.parseInt(process.versions.v8, 10) < 13;

/** A symbol, so that it is never a property that the object has already. */
const PASSING = Symbol("etiquette.passing");

/**
 * Make `object` share its hidden class with similar objects again. Its properties and their order stay as they are.
 */
export function shareShape(object: object): void {
  // Deleting the property that was added last returns to the previous hidden class. Where that has no parent, V8 makes
  // the object a hash table instead, and hash tables with the same prototype share one hidden class.
  (object as { [PASSING]?: true })[PASSING] = true;
  // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- the deletion has the effect
  delete (object as { [PASSING]?: true })[PASSING];
}
