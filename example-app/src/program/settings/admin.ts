import { isIP } from "node:net";
import { z } from "zod";
import { SUBDOMAIN_SHAPE } from "../../model/shapes.js";
import type { SettingGroup } from "./setting.js";
import { host, integer, MAX_PORT, splitList } from "./shapes.js";

/** Load balancers ask more often than that. */
const MAX_DRAIN_SECONDS = 300;

/** Each has series of its own: one for each operation and status that it sees. */
const MAX_METRICS_ORGS = 100;

/** Without a port. Compose allows underscores in the names of services. */
const NAME_REGEXP = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

const names = z
  .string()
  .toLowerCase()
  .transform(splitList)
  .refine(
    (entries) => entries.every((name) => NAME_REGEXP.test(name) || isIP(name) !== 0),
    "must be a list of names and addresses without ports",
  );

const orgs = z
  .string()
  .transform(splitList)
  .refine(
    (entries) => entries.length <= MAX_METRICS_ORGS && entries.every((name) => SUBDOMAIN_SHAPE.safeParse(name).success),
    `must be a list of at most ${MAX_METRICS_ORGS} subdomains`,
  );

/** Settings of probes and metrics. */
export const ADMIN = {
  "admin-port": {
    placeholder: "NUMBER",
    help: "port of the probes and the metrics, plain HTTP, 0 to 65535; 0 takes a free one; without it there is none",
    details: "See [admin port](../guides/monitoring.md#admin-port).",
    shape: integer(0, MAX_PORT).optional(),
    target: "adminPort",
  },
  "admin-host": {
    placeholder: "ADDRESS",
    fallback: "127.0.0.1",
    help: "address of --admin-port; whoever reaches it reads the metrics",
    shape: host,
    target: "adminHost",
  },
  "admin-names": {
    placeholder: "LIST",
    help: "further names and addresses by which clients ask --admin-port, such as etiquette.monitoring; others are refused",
    shape: names.default([]),
    target: "adminNames",
  },
  "metrics-orgs": {
    placeholder: "LIST",
    help: "subdomains of orgs, at most 100, whose requests and decisions the metrics count, each by itself",
    details: "See [metrics](../guides/monitoring.md#metrics).",
    shape: orgs.default([]),
    target: "metricsOrgs",
  },
  "drain-delay": {
    placeholder: "SECONDS",
    fallback: "0",
    help: "how long an ending server still accepts connections while /readyz is 503, 0 to 300 seconds",
    details: "See [probes](../guides/monitoring.md#probes).",
    shape: integer(0, MAX_DRAIN_SECONDS).transform((seconds) => seconds * 1_000),
    target: "drainDelay",
  },
} as const satisfies SettingGroup;
