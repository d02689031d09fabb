/** Whether an app runs for its author: `NODE_ENV` is neither `production` nor `test`, in which Express does not log either. */
export function isDevelopment(): boolean {
  const { NODE_ENV } = process.env;
  return NODE_ENV !== "production" && NODE_ENV !== "test";
}

/** Make a function that writes a warning to the console once for each key, and for at most `max` keys. */
export function createWarning(max: number): (key: string, message: string) => void {
  const warned = new Set<string>();

  return function warn(key, message) {
    if (warned.has(key) || warned.size >= max) return;
    warned.add(key);
    console.warn(message);
  };
}
