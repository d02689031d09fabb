import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Inspection } from "../../store/inspect/inspect.js";
import { fault, ok, type Finding } from "./finding.js";

const CHECK = "clock";

/** Rate limits and the order of events bear this difference between clocks. */
const MAX_DIFFERENCE_MS = 2_000;

/** File systems round dates. */
const MAX_FUTURE_MS = 5_000;

const REMEDY = "keep the clocks in sync, such as with chrony or systemd-timesyncd";

/** Compare the clock of this machine with the database's, or with the dates of the files in the data folder. */
export async function checkClock(
  inspection: Pick<Inspection, "clockLead"> | undefined,
  dataFolder: string,
  now = Date.now(),
): Promise<Finding> {
  const lead = inspection?.clockLead;
  if (lead !== undefined) {
    const seconds = Math.round(Math.abs(lead) / 100) / 10;
    if (Math.abs(lead) <= MAX_DIFFERENCE_MS) return ok(CHECK, `${seconds} s from the database's`);
    return fault(CHECK, `the database's is ${seconds} s ${lead > 0 ? "ahead" : "behind"}`, REMEDY);
  }
  const newest = await findNewest(dataFolder);
  if (newest - now <= MAX_FUTURE_MS) return ok(CHECK, "no file of the data folder is from the future");
  return fault(CHECK, `a file of the data folder is from ${new Date(newest).toISOString()}, which is to come`, REMEDY);
}

/** When a file in the folder was last changed; 0 without any. */
async function findNewest(folder: string): Promise<number> {
  try {
    const dates = (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).mtimeMs);
    return Math.max(0, ...(await Promise.all(dates)));
  } catch {
    return 0; // another check tells why it can't be read
  }
}
