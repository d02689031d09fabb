import type { SettingGroup } from "./setting.js";
import { parseQuotas } from "./quotas.js";
import { parseRateLimits } from "./rate-limits.js";
import { integer, limit, parsed } from "./shapes.js";

const MAX_MS = 3_600_000;
const MAX_COUNT = 1_000_000;
const MAX_CACHE_MB = 65_536;
const MEGABYTE = 1_000_000;

/** What protects the server from too many clients and too much work. */
export const LIMITS = {
  "rate-limits": {
    placeholder: "LIST",
    fallback: "on",
    help: "on, off, or requests of a client in a window: discovery, signOn, failures, read, write, logs, window in seconds",
    details: "What a list leaves out keeps its [default](limits.md#rate-limits): `read=6000,signOn=60,window=60`.",
    shape: parsed(parseRateLimits),
    target: "rateLimits",
  },
  quotas: {
    placeholder: "LIST",
    help: "what each org may store, such as users=5000,rules=200; docs/reference/limits.md lists the defaults",
    details: "What a list leaves out keeps its [default](limits.md#quotas).",
    shape: parsed(parseQuotas).default(parseQuotas("")),
    target: "quotas",
  },
  "cache-size": {
    placeholder: "MB",
    fallback: "256",
    help: "memory for what each process keeps about orgs, such as compiled rules, 1 to 65536 MB",
    shape: integer(1, MAX_CACHE_MB).transform((size) => size * MEGABYTE),
    target: "cacheBytes",
  },
  "search-limit": {
    placeholder: "NUMBER",
    fallback: "100000",
    help: "events or records that one request searches at most before it responds with a link to the rest, 1000 to 10000000",
    details: "See [searches](limits.md#searches).",
    shape: integer(1_000, 10_000_000),
    target: "searchLimit",
  },
  "write-timeout": {
    placeholder: "MS",
    fallback: "60000",
    help: "milliseconds after which a client that reads nothing of its response is cut off, 1 to 3600000, or off; a quarter of that when 1 MiB waits",
    details: "See [overload](limits.md#overload).",
    shape: limit(MAX_MS),
    target: "connectionLimits.writeTimeout",
  },
  "max-connections": {
    placeholder: "NUMBER",
    fallback: "10000",
    help: "connections of each process, 1 to 1000000, or off",
    shape: limit(MAX_COUNT),
    target: "connectionLimits.maxConnections",
  },
  "max-connections-per-ip": {
    placeholder: "NUMBER",
    fallback: "1000",
    help: "those from one address that is no trusted proxy, 1 to 1000000, or off",
    details: "All addresses of an IPv6 /64 count as one.",
    shape: limit(MAX_COUNT),
    target: "connectionLimits.maxConnectionsPerIp",
  },
  "max-pending-responses": {
    placeholder: "NUMBER",
    fallback: "100",
    help: "requests of one connection that wait for their responses, 1 to 1000000, or off",
    shape: limit(MAX_COUNT),
    target: "connectionLimits.maxPendingResponses",
  },
  "max-requests-per-socket": {
    placeholder: "NUMBER",
    fallback: "off",
    help: "requests of one connection in all, 1 to 1000000, or off",
    shape: limit(MAX_COUNT),
    target: "connectionLimits.maxRequestsPerSocket",
  },
  "max-unread": {
    placeholder: "MB",
    fallback: "16",
    help: "MB of responses of one org that wait for clients that don't read, in each process, 1 to 1000000, or off",
    details: "See [responses and connections](limits.md#responses-and-connections).",
    shape: limit(MAX_COUNT).transform((size) => (size === false ? Infinity : size * MEGABYTE)),
    target: "unreadBytes",
  },
  "overload-lag": {
    placeholder: "MS",
    fallback: "250",
    help: "delay of the event loop from which the server refuses requests, those to the API first, 1 to 3600000, or off",
    details: "See [overload](limits.md#overload).",
    shape: limit(MAX_MS),
    target: "overloadLimits.lag",
  },
  "overload-waiting": {
    placeholder: "NUMBER",
    fallback: "1000",
    help: "the same for how many callers wait for a connection to the database, 1 to 1000000, or off",
    shape: limit(MAX_COUNT),
    target: "overloadLimits.waiting",
  },
} as const satisfies SettingGroup;
