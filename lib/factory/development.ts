/** Whether an app runs for its author: `NODE_ENV` is neither `production` nor `test`, in which Express does not log either. */
export function isDevelopment(): boolean {
  const { NODE_ENV } = process.env;
  return NODE_ENV !== "production" && NODE_ENV !== "test";
}
