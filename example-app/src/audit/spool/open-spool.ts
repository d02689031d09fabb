import { join } from "node:path";
import { createSealer } from "../../disk/sealing.js";
import { createEventSpool, NO_SPOOL, type EventSpool, type EventSpoolOptions } from "./event-spool.js";

/** In the data folder. */
export const SPOOL_FOLDER = "spool";

/** Changes with the format of the files, which then don't open. */
const KEY_INFO = "etiquette spool 1";

export interface SpoolSettings {
  readonly dataFolder: string;
  /** Bytes of events on disk while the database is away; 0 for none. */
  readonly spoolBytes: number;
  readonly logRetentionDays: number;
  readonly secrets: readonly string[];
}

export function openSpool(settings: SpoolSettings, log: EventSpoolOptions["log"]): EventSpool {
  const { dataFolder, spoolBytes: limit, logRetentionDays: days, secrets } = settings;
  if (limit === 0) return NO_SPOOL;
  const sealer = createSealer(secrets, KEY_INFO);
  return createEventSpool({ folder: join(dataFolder, SPOOL_FOLDER), limit, days, sealer, log });
}
