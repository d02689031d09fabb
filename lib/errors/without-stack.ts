/** `make()`, whose errors have no stack: to write one takes longer than most of what makes errors. */
export function withoutStack<T>(make: () => T): T {
  const limit = Error.stackTraceLimit;
  Reflect.set(Error, "stackTraceLimit", 0); // where intrinsics are frozen, an assignment would throw
  try {
    return make();
  } finally {
    Reflect.set(Error, "stackTraceLimit", limit);
  }
}
