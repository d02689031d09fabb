import type { Server } from "node:http";
import { CHECKS } from "../../check/rules/index.js";
import type { Report } from "../../check/engine.js";
import { createEtiquetteServer } from "./peers/etiquette.js";
import { createExpressServer } from "./peers/express.js";
import { createFastifyServer, createFastifyServerWithPlugins } from "./peers/fastify.js";
import { ITEM, LIST, ORIGIN, READ_ITEM } from "./peers/items.js";
import { createPackagesServer } from "./peers/packages.js";
import { formatPeersPage } from "./support/peers-page.js";
import { expectPage } from "../support/page.js";
import { checkServer, outcomesOf } from "./support/run.js";

const PEERS: readonly (readonly [name: string, create: () => Server | Promise<Server>])[] = [
  ["etiquette", createEtiquetteServer],
  ["Express", createExpressServer],
  ["Fastify", createFastifyServer],
  ["Fastify, plugins", createFastifyServerWithPlugins],
  ["ten packages", createPackagesServer],
];

/** As behind a proxy on this machine that ends TLS. */
const HEADERS = ["--header", "X-Forwarded-Proto: https", "--header", "Authorization: Bearer a-token-of-the-tests"];

const ARGS = [
  ...["--list", LIST, "--resource", ITEM, "--write", "--writable", ITEM, "--field", "/name"],
  ...["--origin", ORIGIN, "--filter", 'status eq "ACTIVE"'],
  ...HEADERS,
];

/** The page is written on Node 20. Node 22 and later refuse this themselves. */
const NEWER = "transfer-encoding-empty";

/** A page without what depends on the version of Node: the lines of that check, and the counts. */
function comparable(page: string): string {
  if (process.versions.node.startsWith("20.")) return page;
  return page.replace(/^## Overview\n[^]*?(?=^## )/m, "").replaceAll(new RegExp(`^.*${NEWER}.*\n`, "gm"), "");
}

const reports = new Map<string, Report>();

beforeAll(async () => {
  for (const [name, create] of PEERS) {
    const report = await checkServer(await create(), LIST, ARGS);
    const stable = await checkServer(await create(), LIST, [
      ...HEADERS,
      "--resource",
      READ_ITEM,
      "--rules",
      "tag-stable",
    ]);
    const results = report.results.map((result) => (result.check.id === "tag-stable" ? stable.results[0]! : result));
    reports.set(name, { ...report, results });
  }
}, 120_000);

it("finds nothing in an app with the suite, and leaves out only what needs TLS", () => {
  const others = Object.entries(outcomesOf(reports.get("etiquette")!)).filter(([, outcome]) => outcome !== "passed");
  const tls = CHECKS.filter(({ needs }) => needs?.includes("tls")).map(({ id }) => id);
  expect(others.map(([id]) => id).sort()).toEqual([...tls, "http-refused"].sort());
});

it("docs/reference/peers.md is what the checks find", () => {
  expectPage("docs/reference/peers.md", formatPeersPage(reports), comparable);
});
