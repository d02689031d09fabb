import { isIP } from "node:net";
import { z } from "zod";
import { host, integer, MAX_PORT } from "./shapes.js";

/** Load balancers ask more often than that. */
const MAX_DRAIN_SECONDS = 300;

/** The settings for who watches the server. */
export const ADMIN_SETTINGS = {
  "admin-port": {
    placeholder: "NUMBER",
    help: "port of the probes and the metrics, plain HTTP, 0 to 65535; 0 takes a free one; without it there is none",
  },
  "admin-host": {
    placeholder: "ADDRESS",
    fallback: "127.0.0.1",
    help: "address of --admin-port; whoever reaches it reads the metrics",
  },
  "admin-names": {
    placeholder: "LIST",
    help: "further names and addresses by which clients ask --admin-port, such as etiquette.monitoring; others are refused",
  },
  "drain-delay": {
    placeholder: "SECONDS",
    fallback: "0",
    help: "how long an ending server still accepts connections while /readyz is 503, 0 to 300 seconds",
  },
} as const;

/** Without a port. Compose allows underscores in the names of services. */
const NAME_REGEXP = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

const names = z
  .string()
  .toLowerCase()
  .transform((list) => list.split(",").map((name) => name.trim()))
  .refine(
    (list) => list.every((name) => NAME_REGEXP.test(name) || isIP(name) !== 0),
    "must be a list of names and addresses without ports",
  );

/** The accepted values. */
export const ADMIN_SHAPES = {
  "admin-port": integer(0, MAX_PORT).optional(),
  "admin-host": host,
  "admin-names": names.optional(),
  "drain-delay": integer(0, MAX_DRAIN_SECONDS),
};

export interface AdminSettings {
  /** `undefined` for no admin port. */
  readonly adminPort: number | undefined;
  readonly adminHost: string;
  /** In lower case. */
  readonly adminNames: readonly string[];
  /** In milliseconds. */
  readonly drainDelay: number;
}

interface AdminValues {
  readonly "admin-port"?: number | undefined;
  readonly "admin-host": string;
  readonly "admin-names"?: readonly string[] | undefined;
  readonly "drain-delay": number;
}

export function toAdmin(values: AdminValues): AdminSettings {
  return {
    adminPort: values["admin-port"],
    adminHost: values["admin-host"],
    adminNames: values["admin-names"] ?? [],
    drainDelay: values["drain-delay"] * 1_000,
  };
}
