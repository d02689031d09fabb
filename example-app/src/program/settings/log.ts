import { z } from "zod";
import type { SettingGroup } from "./setting.js";
import { LOG_LEVELS } from "./settings.js";
import { integer } from "./shapes.js";

/** Ten years. */
const MAX_RETENTION_DAYS = 3_650;

/** The largest number of events per second and org. */
const MAX_NOISE_RATE = 10_000;

/** A terabyte, in MB. */
const MAX_SPOOL = 1_000_000;

const MEGABYTE = 1_000_000;

/** The largest limit of a day, a tebibyte, in MiB. */
const MAX_LOG_DAY = 1_048_576;

const MEBIBYTE = 1_048_576;

/** The System Log of the orgs, and the log of the program. */
export const LOG = {
  "log-retention": {
    placeholder: "DAYS",
    fallback: "90",
    help: "how long events stay in the System Log, 1 to 3650 days",
    shape: integer(1, MAX_RETENTION_DAYS),
    target: "logRetentionDays",
  },
  "history-retention": {
    placeholder: "DAYS",
    help: "how long revisions stay in the history of an org, 1 to 3650 days; by default as long as events",
    details: "See [revisions](api/revisions.md).",
    shape: integer(1, MAX_RETENTION_DAYS).optional(),
  },
  "log-noise-rate": {
    placeholder: "NUMBER",
    fallback: "50",
    help: "failed requests without credentials that have an event each, per org and second, 0 to 10000; more are counted",
    details: "See [limits of the log](api/logs.md#limits).",
    shape: integer(0, MAX_NOISE_RATE),
    target: "logNoiseRate",
  },
  "log-day-limit": {
    placeholder: "MIB",
    fallback: "1024",
    help: "what requests may add to the log of an org on one day, 1 to 1048576; changes are always recorded",
    details: "See [limits of the log](api/logs.md#limits).",
    shape: integer(1, MAX_LOG_DAY).transform((size) => size * MEBIBYTE),
    target: "logDayLimit",
  },
  "spool-limit": {
    placeholder: "MB",
    fallback: "256",
    help: "events of each process that wait on disk while the database does not take them, 1 to 1000000 MB, or 0 for none",
    details: "See [without the database](../guides/failover.md#without-the-database).",
    shape: integer(0, MAX_SPOOL).transform((size) => size * MEGABYTE),
    target: "spoolBytes",
  },
  "log-level": {
    placeholder: "LEVEL",
    fallback: "info",
    help: `least level to log: ${LOG_LEVELS.join(", ")}`,
    isReloaded: true,
    shape: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`),
    target: "logLevel",
  },
} as const satisfies SettingGroup;
