/** The result, or `false` when it takes longer than `ms`. */
export function within(ms: number, result: Promise<boolean>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, false);
    result.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}
