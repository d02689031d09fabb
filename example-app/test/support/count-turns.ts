/** How many turns of the event loop others get while the work is done. */
export async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let hasEnded = false;
  const count = () => {
    turns++;
    if (!hasEnded) setImmediate(count);
  };
  setImmediate(count);
  await work();
  hasEnded = true;
  return turns;
}
