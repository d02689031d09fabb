import { host, integer, MAX_PORT } from "./setting-shapes.js";

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
  "drain-delay": {
    placeholder: "SECONDS",
    fallback: "0",
    help: "how long an ending server still accepts connections while /readyz is 503, 0 to 300 seconds",
  },
} as const;

/** The accepted values. */
export const ADMIN_SHAPES = {
  "admin-port": integer(0, MAX_PORT).optional(),
  "admin-host": host,
  "drain-delay": integer(0, MAX_DRAIN_SECONDS),
};

export interface AdminSettings {
  /** `undefined` for no admin port. */
  readonly adminPort: number | undefined;
  readonly adminHost: string;
  /** In milliseconds. */
  readonly drainDelay: number;
}

interface AdminValues {
  readonly "admin-port"?: number | undefined;
  readonly "admin-host": string;
  readonly "drain-delay": number;
}

export function toAdmin(values: AdminValues): AdminSettings {
  return {
    adminPort: values["admin-port"],
    adminHost: values["admin-host"],
    drainDelay: values["drain-delay"] * 1_000,
  };
}
