import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readDemonstration } from "../../../src/transfer/demonstration.js";
import { importText } from "../../../src/transfer/import.js";
import { exportAll } from "../../../src/transfer/export.js";
import { fullOrg, issuer, rule, samlIdp, trustedOrigin, user, zone } from "../../support/documents.js";
import { runProgram } from "../../support/server.js";
import { describeStores, type TestDatabase } from "../../support/stores.js";

jest.setTimeout(60_000);

const write = (orgs: readonly object[]) => JSON.stringify({ orgs }, null, 1);

describeStores((_engine, database) => {
  /** What the command prints for a file with these orgs. `FILE` stands for its path. */
  async function rehearse({ options }: TestDatabase, text: string, ...flags: string[]) {
    const file = join(options.dataFolder, "orgs.json");
    writeFileSync(file, text);
    const place = options.databaseUrl === undefined ? [] : ["--database-url", options.databaseUrl];
    const { exit, output } = runProgram(
      ["import", file, "--dry-run", "--data", options.dataFolder, ...place, ...flags],
      {},
    );
    const code = await exit;
    return { code, stdout: output.stdout.replaceAll(file, "FILE"), stderr: output.stderr.replaceAll(file, "FILE") };
  }

  /** The lines of the file are those of `text`, from 1. */
  const lineOf = (text: string, part: string) => text.slice(0, text.indexOf(part)).split("\n").length;

  it("import --dry-run says what a file would create, and the database stays empty", async () => {
    const data = await database();
    const text = write([fullOrg("acme")]);
    const { code, stdout, stderr } = await rehearse(data, text);
    expect([code, stderr]).toEqual([0, ""]);
    const lines = stdout.split("\n");
    expect(lines[0]).toBe('FILE:3: orgs[0]: creates the org "acme"');
    expect(lines[1]).toBe(
      `FILE:${lineOf(text, '"idps"') + 1}: orgs[0].idps[0]: creates the identity provider "Contoso"`,
    );
    expect(lines.slice(-9)).toEqual([
      "orgs: 1 created, 0 updated, 0 unchanged",
      "idps: 2 created, 0 updated, 0 unchanged",
      "zones: 2 created, 0 updated, 0 unchanged",
      "trustedOrigins: 2 created, 0 updated, 0 unchanged",
      "issuers: 2 created, 0 updated, 0 unchanged",
      "rules: 3 created, 0 updated, 0 unchanged",
      "users: 2 created, 0 updated, 0 unchanged",
      "This was a dry run: nothing has changed",
      "",
    ]);
    expect(lines.filter((line) => line.includes("]: creates the "))).toHaveLength(14);
    expect(await (await data.open()).hasOrgs()).toBe(false);
  });

  it("import refuses a file after which a routing test fails, unless it gets --allow-failing-tests", async () => {
    const data = await database();
    const routingTests = [{ name: "Joe", login: "joe@x.example", expected: { provider: { idp: "Contoso" } } }];
    const org = { subdomain: "acme", name: "Acme", idps: [samlIdp("Contoso")], rules: [rule("x", "Contoso")] };
    await importText(await data.open(), write([{ ...org, routingTests }]));
    const text = write([{ ...org, rules: [rule("x")] }]);
    expect(await rehearse(data, text)).toEqual({
      code: 1,
      stdout: "",
      stderr: `etiquette: FILE:3: orgs[0].routingTests: fails: "Joe": joe@x.example: expected "Contoso", got the org itself (rule "x")\n`,
    });
    const { code, stdout } = await rehearse(data, text, "--allow-failing-tests");
    expect([code, stdout]).toEqual([0, expect.stringContaining('updates the rule "x": actions')]);
  });

  it("import --dry-run says what a file would update and remove, and changes nothing", async () => {
    const data = await database();
    const store = await data.open();
    const before = {
      subdomain: "acme",
      name: "Acme",
      domains: ["old.example", "kept.example"],
      idps: [samlIdp("Contoso")],
      zones: [zone("Office")],
      trustedOrigins: [trustedOrigin("Portal")],
      issuers: [issuer("old"), issuer("kept")],
      users: [user("joe@a.example")],
      rules: [rule("one", "Contoso"), rule("two")],
    };
    await importText(store, write([before]));
    const kept = await exportAll(store);
    const text = write([
      {
        ...before,
        name: "The acme org",
        domains: ["kept.example"],
        zones: [{ ...zone("Office"), status: "INACTIVE", proxies: [] }, zone("Home")],
        issuers: [{ ...issuer("kept"), audience: "other" }],
        users: [{ profile: { ...user("joe@a.example").profile, department: "sales" } }],
        rules: [rule("two"), rule("one", "Contoso")],
      },
    ]);
    const at = (part: string) => `FILE:${lineOf(text, part)}`;
    const { code, stdout, stderr } = await rehearse(data, text);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.split("\n")).toEqual([
      `FILE:3: orgs[0]: updates the org "acme": name, domains, issuers`,
      `${at('"domains"')}: orgs[0].domains: removes the domain "old.example"`,
      `FILE:${lineOf(text, '"zones"') + 1}: orgs[0].zones[0]: updates the zone "Office": status, proxies`,
      `FILE:${lineOf(text, '"name": "Home"') - 1}: orgs[0].zones[1]: creates the zone "Home"`,
      `${at('"issuers"')}: orgs[0].issuers: removes the issuer "https://old.example.com"`,
      `FILE:${lineOf(text, '"issuers"') + 1}: orgs[0].issuers[0]: updates the issuer "https://kept.example.com": audience`,
      `FILE:${lineOf(text, '"users"') + 1}: orgs[0].users[0]: updates the user "joe@a.example": profile.department`,
      `FILE:${lineOf(text, '"rules"') + 1}: orgs[0].rules[0]: updates the rule "two": priority`,
      `FILE:${lineOf(text, '"name": "one"') - 1}: orgs[0].rules[1]: updates the rule "one": priority`,
      "orgs: 0 created, 1 updated, 0 unchanged",
      "idps: 0 created, 0 updated, 1 unchanged",
      "zones: 1 created, 1 updated, 0 unchanged",
      "trustedOrigins: 0 created, 0 updated, 1 unchanged",
      "issuers: 0 created, 1 updated, 0 unchanged",
      "rules: 0 created, 2 updated, 0 unchanged",
      "users: 0 created, 1 updated, 0 unchanged",
      "This was a dry run: nothing has changed",
      "",
    ]);
    expect(await exportAll(store)).toBe(kept);
  });

  it("import --dry-run prints each mistake with its line, quotas too, and ends with 1", async () => {
    const data = await database();
    const zones = [zone("Office"), { ...zone("Home"), gateways: 1 }];
    const broken = write([{ subdomain: "acme", name: "Acme", zones, rules: [rule("one", "Nobody")] }]);
    expect(await rehearse(data, broken)).toEqual({
      code: 1,
      stdout: "",
      stderr: [
        `etiquette: FILE:${lineOf(broken, '"gateways": 1')}: orgs[0].zones[1].gateways: must be an array, not 1`,
        `FILE:${lineOf(broken, '"Nobody"')}: orgs[0].rules[0].actions.idp.providers[0].idp: no identity provider is named "Nobody"\n`,
      ].join("\n"),
    });
    const many = write([{ subdomain: "acme", name: "Acme", zones: [zone("Office"), zone("Home")] }]);
    expect(await rehearse(data, many, "--quotas", "zones=1")).toEqual({
      code: 1,
      stdout: "",
      stderr: `etiquette: FILE:${lineOf(many, '"zones"')}: orgs[0].zones: the org has 0 zones and would have 2; at most 1 are allowed (quota zones)\n`,
    });
    expect(await (await data.open()).hasOrgs()).toBe(false);
  });

  it("import --dry-run lists the first thousand records and counts all", async () => {
    const data = await database();
    const users = Array.from({ length: 1_200 }, (_, i) => user(`u${i}@a.example`));
    const { code, stdout } = await rehearse(data, write([{ subdomain: "acme", name: "Acme", users }]));
    expect(code).toBe(0);
    expect(stdout.match(/: creates the /g)).toHaveLength(1_000);
    expect(stdout).toContain("\nFILE: and 201 more\norgs: 1 created, 0 updated, 0 unchanged\nusers: 1200 created");
  });

  it("import --dry-run names what an export would replace of the demonstration", async () => {
    const data = await database();
    const store = await data.open();
    const demo = JSON.parse(await readDemonstration()) as { orgs: object[] };
    await importText(store, JSON.stringify(demo));
    const kept = await exportAll(store);
    const [org] = demo.orgs;
    const moved = { ...org, policyId: "00p3bQ7xGk2LmN8pRs4T", idps: [samlIdp("Moved")], rules: [], domains: undefined };
    const { code, stdout } = await rehearse(data, write([moved]));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^FILE:3: orgs\[0\]: updates the org "demo": policyId$/m);
    expect(stdout).toMatch(/^FILE:3: orgs\[0\]: removes the identity provider "/m);
    expect(stdout).toMatch(/^FILE:3: orgs\[0\]: removes the rule "/m);
    expect(stdout).toMatch(/^FILE:\d+: orgs\[0\]\.idps\[0\]: creates the identity provider "Moved"$/m);
    expect(await exportAll(store)).toBe(kept);
  });
});
