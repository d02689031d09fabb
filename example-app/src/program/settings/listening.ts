import { compileTrustedProxies } from "etiquette/trusted-proxies";
import { z } from "zod";
import { faultOf } from "../../model/faults.js";
import type { SettingGroup } from "./setting.js";
import { host, integer, list, MAX_PORT, toggle } from "./shapes.js";

/** More processes than processors bring no benefit. */
export const MAX_WORKERS = 64;

const proxies = list.superRefine((entries, context) => {
  const fault = faultOf(() => compileTrustedProxies(entries));
  if (fault !== undefined) context.addIssue({ code: "custom", message: `is invalid: ${fault}` });
});

const workers = z
  .string()
  .refine(
    (value) => value === "auto" || (/^\d{1,2}$/.test(value) && Number(value) >= 1 && Number(value) <= MAX_WORKERS),
    `must be an integer from 1 to ${MAX_WORKERS}, or auto`,
  )
  .transform((value) => (value === "auto" ? value : Number(value)));

/** Where the server listens, and what is in front of it. */
export const LISTENING = {
  port: {
    placeholder: "NUMBER",
    fallback: "8443",
    help: "port to listen on, 0 to 65535; 0 takes a free one",
    shape: integer(0, MAX_PORT),
    target: "port",
  },
  host: {
    placeholder: "ADDRESS",
    fallback: "127.0.0.1",
    help: "address to listen on; 0.0.0.0 or :: for all",
    shape: host,
    target: "host",
  },
  workers: {
    placeholder: "NUMBER",
    fallback: "1",
    help: "processes that share the port, 1 to 64, or auto for one a core; more than one needs --database-url",
    details: "See [scaling](../guides/scaling.md).",
    shape: workers,
  },
  http: {
    help: "listen on plain HTTP, behind a proxy that terminates TLS; needs --trusted-proxies",
    details: "See [behind a proxy](../guides/operating.md#behind-a-proxy).",
    shape: toggle.default(false),
    target: "http",
  },
  "trusted-proxies": {
    placeholder: "LIST",
    help: "proxies whose X-Forwarded-* count: addresses, CIDR blocks, loopback, linklocal, uniquelocal",
    shape: proxies.default([]),
    target: "trustedProxies",
  },
  "server-timing": {
    placeholder: "LIST",
    help: "clients that see in Server-Timing how long their requests took: like --trusted-proxies; without it none",
    details: "`total` is the whole request, `db` the statements of the database.",
    shape: proxies.default([]),
    target: "serverTiming",
  },
} as const satisfies SettingGroup;
