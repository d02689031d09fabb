/** Call a function of the app whose result and errors don't matter: what it throws must not stop the response or the process. */
export async function callSafely(call: () => unknown): Promise<void> {
  try {
    await call();
  } catch {
    // there is nowhere else to report it
  }
}
