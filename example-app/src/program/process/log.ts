import fs from "node:fs";
import pino, { type DestinationStream, type Logger } from "pino";
import type { Settings } from "../settings/settings.js";

/** In bytes. The log is buffered until it has this length, because a write per line costs more than everything else. */
const WRITE_LENGTH = 8_192;

/**
 * In milliseconds. The buffer is also written after this time, and when the process ends, except by SIGKILL and the
 * like.
 */
const WRITE_INTERVAL = 100;

/** In bytes. When the reader of the standard error has stopped reading, further lines are dropped from here on. */
const MAX_WAITING = 16_777_216;

/** A log that writes lines of JSON to standard error. Standard output is for programs. */
export function createLog(level: Settings["logLevel"], destination: DestinationStream = openDestination()): Logger {
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

/**
 * The standard error, where a full disk or a terminal that was closed costs lines and nothing else: what could not be written
 * is written again, until there is too much of it.
 */
function openDestination(): DestinationStream {
  const destination = pino.destination({
    fd: 2,
    sync: false,
    minLength: WRITE_LENGTH,
    maxLength: MAX_WAITING,
    periodicFlush: WRITE_INTERVAL,
  });
  destination.on("error", () => undefined); // without a listener it would end the process
  const flush = destination.flushSync.bind(destination);
  destination.flushSync = () => {
    withoutRepeats(flush);
  };
  return destination;
}

/** At its end, pino repeats a write that fails for ever; here it is taken for done. EAGAIN passes: a reader is slow. */
function withoutRepeats(flush: () => void): void {
  const write = fs.writeSync;
  fs.writeSync = (fd: number, data: NodeJS.ArrayBufferView | string, ...rest: unknown[]) => {
    try {
      return (write as (...parameters: unknown[]) => number)(fd, data, ...rest);
    } catch (error) {
      if ((error as { code?: unknown }).code === "EAGAIN") throw error;
      return Buffer.byteLength(data);
    }
  };
  try {
    flush();
  } finally {
    fs.writeSync = write;
  }
}

/** Keeps only these properties of an error: others, such as a database's `detail`, may contain personal data. */
function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return { type: name, message, code, stack, ...(cause !== undefined && { cause: serializeError(cause) }) };
}
