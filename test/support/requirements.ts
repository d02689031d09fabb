/**
 * What a machine may lack. In CI nothing may be lacking: there the tests that need it are required. Elsewhere they are
 * skipped under a title that says what was not run, which the summary repeats.
 */
export function describeIf(available: boolean, title: string, need: string, block: () => void): void {
  if (available) {
    describe(title, block);
  } else if (process.env["CI"]) {
    it(`${title} has ${need}`, () => {
      throw new Error(`CI must have ${need}`);
    });
  } else {
    describe.skip(`${title} (not run: needs ${need})`, block);
  }
}
