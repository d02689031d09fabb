/** The result, or `false` when it takes longer than `ms`. A process that stood still first reads what has come meanwhile. */
export function within(ms: number, result: Promise<boolean>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => setImmediate(resolve, false), ms);
    result.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}
