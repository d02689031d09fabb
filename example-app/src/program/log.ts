import pino, { type DestinationStream, type Logger } from "pino";
import type { Settings } from "./settings.js";

/** In bytes: what is waiting is written when it is this long, for to write each line costs more than all else about it. */
const WRITE_LENGTH = 8_192;

/** In milliseconds: or when this has passed. An end of the process writes what is waiting, but for SIGKILL and its like. */
const WRITE_INTERVAL = 100;

/** Lines of JSON on the standard error, which leaves the standard output to what programs read. */
export function createLog(
  level: Settings["logLevel"],
  destination: DestinationStream = pino.destination({
    fd: 2,
    sync: false,
    minLength: WRITE_LENGTH,
    periodicFlush: WRITE_INTERVAL,
  }),
): Logger {
  return pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: serializeError },
    },
    destination,
  );
}

/** Nothing but the fault: other properties of an error, such as a database's `detail`, may hold the data of people. */
function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return { type: name, message, code, stack, ...(cause !== undefined && { cause: serializeError(cause) }) };
}
