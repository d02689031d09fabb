import { z } from "zod";
import type { ServerSettings } from "../../server.js";

const MAX_MS = 3_600_000;
const MAX_COUNT = 1_000_000;

/** The settings that protect the server from too many clients and too much work. */
export const LIMIT_SETTINGS = {
  "write-timeout": {
    placeholder: "MS",
    fallback: "60000",
    help: "milliseconds after which a client that reads nothing of its response is cut off, 1 to 3600000, or off",
  },
  "max-connections": {
    placeholder: "NUMBER",
    fallback: "10000",
    help: "connections of each process, 1 to 1000000, or off",
  },
  "max-connections-per-ip": {
    placeholder: "NUMBER",
    fallback: "1000",
    help: "those from one address that is no trusted proxy, 1 to 1000000, or off",
  },
  "max-pending-responses": {
    placeholder: "NUMBER",
    fallback: "100",
    help: "requests of one connection that wait for their responses, 1 to 1000000, or off",
  },
  "max-requests-per-socket": {
    placeholder: "NUMBER",
    fallback: "off",
    help: "requests of one connection in all, 1 to 1000000, or off",
  },
  "max-unread": {
    placeholder: "MB",
    fallback: "16",
    help: "MB of responses of one org that wait for clients that don't read, in each process, 1 to 1000000, or off",
  },
  "overload-lag": {
    placeholder: "MS",
    fallback: "250",
    help: "delay of the event loop from which the server refuses requests, those to the API first, 1 to 3600000, or off",
  },
  "overload-waiting": {
    placeholder: "NUMBER",
    fallback: "1000",
    help: "the same for how many callers wait for a connection to the database, 1 to 1000000, or off",
  },
} as const;

/** The accepted values; `false` for `off`. */
export const LIMIT_SHAPES = {
  "write-timeout": limit(MAX_MS),
  "max-connections": limit(MAX_COUNT),
  "max-connections-per-ip": limit(MAX_COUNT),
  "max-pending-responses": limit(MAX_COUNT),
  "max-requests-per-socket": limit(MAX_COUNT),
  "max-unread": limit(MAX_COUNT),
  "overload-lag": limit(MAX_MS),
  "overload-waiting": limit(MAX_COUNT),
};

type LimitValues = Readonly<Record<keyof typeof LIMIT_SETTINGS, number | false>>;

export function toLimits(
  values: LimitValues,
): Pick<ServerSettings, "connectionLimits" | "overloadLimits" | "unreadBytes"> {
  const unread = values["max-unread"];
  return {
    unreadBytes: unread === false ? Infinity : unread * 1_000_000,
    connectionLimits: {
      writeTimeout: values["write-timeout"],
      maxConnections: values["max-connections"],
      maxConnectionsPerIp: values["max-connections-per-ip"],
      maxPendingResponses: values["max-pending-responses"],
      maxRequestsPerSocket: values["max-requests-per-socket"],
    },
    overloadLimits: { lag: values["overload-lag"], waiting: values["overload-waiting"] },
  };
}

function limit(max: number) {
  return z
    .string()
    .refine(
      (text) => text === "off" || (/^\d{1,7}$/.test(text) && Number(text) >= 1 && Number(text) <= max),
      `must be an integer from 1 to ${max} or off`,
    )
    .transform((text) => text !== "off" && Number(text));
}
