import { readFile } from "node:fs/promises";
import { until } from "../../../test/support/until.js";
import { describeConsole, send } from "../support/console-browser.js";
import {
  addZone,
  button,
  centreOf,
  CLICKS,
  closed,
  countPresses,
  dialog,
  field,
  find,
  isTraced,
  type Job,
  leadTo,
  policyOf,
  rulesOf,
  statusOf,
  track,
} from "../support/console-jobs.js";
import { CERTIFICATE, oidcIdp, rule, textOf, zone } from "../support/documents.js";
import {
  ISSUER,
  LOOPBACK,
  samlMetadata,
  startMetadataServer,
  type MetadataServer,
} from "../support/metadata-server.js";

const USERS = 4_900;

const PALETTE = { name: "Find a page, a record or a login" };

const DOCUMENT = {
  orgs: [
    {
      subdomain: "demo",
      name: "Demo",
      idps: ["Corporate", "Partners", "Former"].map((name) => oidcIdp(name)),
      zones: [zone("Office")],
      rules: [
        ...["tried", "single", "undone", "moved-a", "moved-b", "bulk-1", "bulk-2"].map((name) =>
          rule(name, "Corporate"),
        ),
        ...["former-1", "former-2"].map((name) => rule(name, "Former")),
        rule("partners", "Partners"),
      ],
      users: Array.from({ length: USERS }, (_, i) => ({
        profile: { login: `p${i}@many.example`, email: `p${i}@mail.example`, firstName: "Ann", lastName: `Berg${i}` },
      })),
    },
  ],
};

const JOBS: Readonly<Record<string, Job>> = {
  "try a login": {
    at: "",
    async work(page) {
      await field(page, "Login").fill("joe@tried.example");
      await page.getByText("joe@tried.example signs in at").waitFor();
    },
    isDone: isTraced,
  },
  "keep it as a test": {
    at: "/?login=joe@tried.example",
    async work(page) {
      await button(page, "Keep as a test").click();
      await page.getByText("It is one of the routing tests now.").waitFor();
    },
    isDone: async (page) => (await send(page, "GET", `${await policyOf(page)}/routingTests`)).length === 1,
  },
  "add a provider from its address": {
    at: "/idps",
    async work(page, { url }) {
      await button(page, "Add an identity provider").click();
      await field(page, "Address of its metadata, or its issuer").fill(url);
      await button(page, "Read").click();
      await field(page, "Name").fill("Added");
      await button(page, "Save").click();
      await closed(page);
    },
    async isDone(page) {
      const idp = (await find(page, "/idps", "Added"))!;
      return (await send(page, "GET", `/idps/${idp.id}`)).protocol.credentials.trust.issuer === ISSUER;
    },
  },
  "add a rule for it": {
    at: "/idps",
    async work(page) {
      await page.getByRole("link", { name: "Corporate" }).click();
      await page.getByRole("link", { name: "Add a rule for this provider" }).click();
      await page.getByRole("dialog", { name: "Add a rule" }).waitFor(); // the provider's form has a name, too
      await field(page, "Name").fill("added");
      await field(page, "Pattern 1").fill("added.example");
      await button(page, "Save").click();
      await closed(page);
    },
    isDone: (page) => leadTo(page, "Corporate", "added"),
  },
  "lead its rules to another": {
    at: "/idps",
    async work(page) {
      await page.getByRole("link", { name: "Former" }).click();
      await page.getByRole("combobox", { name: "Replace it by" }).click();
      await page.getByRole("option", { name: "Corporate" }).click();
      await button(page, "Replace in 2 rules").click();
      await button(page, "Replace it").click();
      await page.getByText("Replaced Former by Corporate in 2 rules").waitFor();
    },
    isDone: (page) => leadTo(page, "Corporate", "former-1", "former-2"),
  },
  "switch a rule off": {
    at: "/rules",
    async work(page) {
      await track(page, "The rule single is on").click();
      await page.getByText("Switched the rule single off").waitFor();
    },
    isDone: async (page) => (await statusOf(page, "single")).join() === "INACTIVE",
  },
  "switch off a provider that rules use": {
    at: "/idps",
    async work(page) {
      await track(page, "The identity provider Partners is on").click();
      await button(page, "Switch it off").click();
      await closed(page);
    },
    isDone: async (page) => (await find(page, "/idps", "Partners"))?.status === "INACTIVE",
  },
  "move a rule": {
    at: "/rules",
    async prepare(page) {
      await button(page, "Move the rule moved-b").and(page.locator(":enabled")).waitFor();
      await page.getByRole("listitem").filter({ hasText: "moved-b" }).getByText("No login in 90 days").waitFor();
    },
    async work(page) {
      const [from, to] = await Promise.all(
        ["moved-b", "moved-a"].map((name) => centreOf(button(page, `Move the rule ${name}`))),
      );
      await page.mouse.move(from!.x, from!.y);
      await page.mouse.down();
      await page.mouse.move(to!.x, to!.y, { steps: 10 });
      await page.getByText(/^moved-b, place 4 of \d+$/).waitFor({ state: "attached" });
      await page.mouse.up();
      await page.getByText(/^Moved the rule moved-b to place 4/).waitFor();
    },
    async isDone(page) {
      const names = (await rulesOf(page)).map(({ name }) => name);
      return names.indexOf("moved-b") + 1 === names.indexOf("moved-a");
    },
  },
  "switch off all found rules": {
    at: "/rules",
    async work(page) {
      await field(page, "Find a rule").fill("bulk");
      await page.getByRole("checkbox", { name: "Select all shown (2)" }).click();
      await button(page, "Switch off").click();
      await button(page, "Switch them off").click();
      await page.getByText("Switched off 2 rules.").waitFor();
    },
    isDone: async (page) => (await statusOf(page, "bulk-1", "bulk-2")).join() === "INACTIVE,INACTIVE",
  },
  "undo the last change": {
    at: "/rules",
    async prepare(page) {
      await page.getByRole("switch", { name: "The rule undone is on", disabled: false }).press("Space");
      await button(page, "Undo").waitFor();
      expect(await statusOf(page, "undone")).toEqual(["INACTIVE"]);
    },
    work: (page) => button(page, "Undo").click(),
    isDone: async (page) => (await statusOf(page, "undone")).join() === "ACTIVE",
  },
  "find and open one of 4,900 users": {
    at: "/users",
    prepare: (page) => page.getByText("4,900 users", { exact: true }).waitFor(),
    async work(page) {
      await field(page, "Login, e-mail, first or last name").fill("berg4321 ann");
      await page.getByRole("link", { name: "Ann Berg4321" }).click();
      await dialog(page).locator('[value="p4321@many.example"]').waitFor();
    },
    async isDone(page) {
      const { profile } = await send(page, "GET", `/users/${page.url().split("/").at(-1)}`);
      return profile.login === "p4321@many.example";
    },
  },
  "open any record with ⌘K": {
    at: "",
    prepare: (page) => button(page, "Search").waitFor(),
    async work(page) {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", PALETTE).or(page.getByRole("textbox", PALETTE)).fill("office");
      await page.locator("[data-combobox-selected]").getByText("Office").waitFor();
      await page.keyboard.press("Enter");
      await dialog(page).locator('[value="Office"]').waitFor();
    },
    isDone: async (page) => page.url().endsWith(`/zones/${(await find(page, "/zones", "Office"))!.id}`),
  },
  "create and copy a token": {
    at: "/tokens",
    async work(page) {
      await button(page, "Create a token").click();
      await field(page, "Name").fill("Created");
      await button(page, "Choose all").click();
      await button(page, "Create").click();
      await button(page, "Copy the token").click();
      await button(page, "Copied").waitFor();
    },
    async isDone(page) {
      const isThere = (await find(page, "/apiTokens?limit=200", "Created")) !== undefined;
      return isThere && (await page.evaluate<string>("navigator.clipboard.readText()")).startsWith("etq_");
    },
  },
  "revoke a token": {
    at: "/tokens",
    async prepare(page) {
      await send(page, "POST", "/apiTokens", { name: "Revoked", scopes: ["svc.users.read"] });
      await page.reload();
    },
    async work(page) {
      await field(page, "Find a token by its name").fill("Revoked");
      await button(page, "Revoke the token Revoked").click();
      await button(page, "Revoke the token").click();
      await closed(page);
    },
    isDone: async (page) => (await find(page, "/apiTokens?limit=200", "Revoked")) === undefined,
  },
  "see why a past login went there": {
    at: "/log",
    prepare: (page) => page.evaluate(`fetch("/.well-known/webfinger?resource=svc:acct:joe%40tried.example")`),
    async work(page) {
      await page.getByRole("combobox", { name: "Show" }).click();
      await page.getByRole("option", { name: "Everything" }).click();
      await page
        .getByRole("link", { name: /^Why: the event WebFinger query/ })
        .first()
        .click();
      await page.getByText(/^Rules, zones and providers are those of revision \d+, of /).waitFor();
    },
    isDone: isTraced,
  },
  "download the log": {
    at: "/log",
    async work(page) {
      const downloading = page.waitForEvent("download");
      await button(page, "Download as CSV").click();
      return readFile(await (await downloading).path(), "utf8");
    },
    async isDone(page, text) {
      const filter = encodeURIComponent('eventType eq "system.console_link.create"');
      const [event] = await send(page, "GET", `/logs?filter=${filter}&limit=1`);
      return String(text).includes(`${event.published},INFO,system.console_link.create,`);
    },
  },
  "import a file": {
    at: "/transfer",
    async work(page) {
      const choosing = page.waitForEvent("filechooser");
      await button(page, "A file").click();
      const buffer = Buffer.from(textOf({ subdomain: "demo", zones: [zone("Imported")] }));
      await (await choosing).setFiles({ name: "orgs.json", mimeType: "application/json", buffer });
      await button(page, "Import 1 record").click();
      await page.getByText("Imported: 1 record").waitFor();
    },
    isDone: async (page) => (await find(page, "/zones", "Imported")) !== undefined,
  },
  "undo an older change": {
    at: "/history",
    prepare: (page) => addZone(page, "Mistake"),
    async work(page) {
      const row = page.getByRole("listitem").filter({ hasText: "Added the zone Mistake" });
      await row.getByRole("button", { name: /^Undo: / }).click();
      await dialog(page).getByRole("button", { name: "Undo" }).click();
      await closed(page);
    },
    isDone: async (page) => (await find(page, "/zones", "Mistake")) === undefined,
  },
  "bring everything back": {
    at: "/history",
    async prepare(page) {
      await addZone(page, "Before");
      await addZone(page, "After");
    },
    async work(page) {
      const row = page.getByRole("listitem").filter({ hasText: "Added the zone Before" });
      await row.getByRole("button", { name: /^Show revision/ }).click();
      await row.getByRole("button", { name: /^Bring everything back to here/ }).click();
      await dialog(page).getByRole("button", { name: "Bring everything back to here" }).click();
      await closed(page);
    },
    async isDone(page) {
      const [before, after] = await Promise.all(["Before", "After"].map((name) => find(page, "/zones", name)));
      return before !== undefined && after === undefined;
    },
  },
};

describeConsole(
  "The jobs of the guide",
  DOCUMENT,
  ({ open }) => {
    let host: MetadataServer;
    beforeAll(async () => (host = await startMetadataServer(samlMetadata({ certificates: [CERTIFICATE] }))));
    afterAll(() => host.close());

    it("are those that are done here", () => {
      expect([...CLICKS.keys()]).toEqual(Object.keys(JOBS));
    });

    it.each(Object.entries(JOBS))("%s: so many clicks", async (job, { at, prepare, work, isDone }) => {
      const page = await open(at, { permissions: ["clipboard-read", "clipboard-write"] });
      await page.locator("h1").first().waitFor();
      await prepare?.(page);
      const presses = await countPresses(page);
      const result = await work(page, host);
      await until(() => isDone(page, result));
      expect(await presses()).toBe(CLICKS.get(job));
    });
  },
  { metadataNetworks: LOOPBACK },
);
