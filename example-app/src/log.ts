import pino, { type DestinationStream, type Logger } from "pino";
import type { Settings } from "./settings.js";

/** Lines of JSON on the standard error, which leaves the standard output to what programs read. */
export function createLog(
  level: Settings["logLevel"],
  destination: DestinationStream = pino.destination({ fd: 2, sync: false }),
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
