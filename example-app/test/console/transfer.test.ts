import { readFile } from "node:fs/promises";
import type { Page, Route } from "playwright-core";
import { ORG_FILE_LIMITS } from "../../src/transfer/org-file-limits.js";
import { describeConsole, findViolations } from "../support/console-browser.js";
import { rule, samlIdp, textOf, trustedOrigin, user, zone } from "../support/documents.js";

const HOSTILE = "<script>document.title='taken over'</script>";
const RIGHT_TO_LEFT = "evil \u05e9\u05dc\u05d5\u05dd";
const LONG = `${"l".repeat(240)}@long.example`;

const DEMO = {
  subdomain: "demo",
  name: "Demo",
  idps: [samlIdp("Contoso")],
  zones: [zone("Office")],
  rules: [rule("Employees", "Contoso")],
  users: [user("joe@example.com")],
};

const fileOf = (members: object): string => textOf({ subdomain: "demo", ...members });

const panel = (page: Page) => page.getByRole("region", { name: "Import" });
const choose = (page: Page, text: string) =>
  page.locator('input[type="file"]').setInputFiles({
    name: "orgs.json",
    mimeType: "application/json",
    buffer: Buffer.from(text),
  });

describeConsole("Import and export", { orgs: [DEMO] }, ({ open }) => {
  it("shows what a file would change, changes it, and shows that nothing is left to change", async () => {
    const page = await open("/transfer");
    const text = fileOf({
      idps: [{ ...samlIdp("Contoso"), status: "INACTIVE" }, samlIdp("Partners")],
      zones: [zone("Office")],
      trustedOrigins: [trustedOrigin("Portal")],
      rules: [rule("Guests", "Partners")],
    });
    await choose(page, text);
    await panel(page).getByText("The file would create or change 4 records").waitFor();
    await panel(page).getByRole("row", { name: "Identity providers 1 1 0" }).waitFor();
    await panel(page).getByRole("row", { name: "Zones 0 0 1" }).waitFor();
    const changes = panel(page).getByRole("listitem");
    const first = changes.filter({ hasText: "Contoso" });
    await first.getByText("Changed").waitFor();
    await first.getByText("status", { exact: true }).waitFor();
    await first.getByText("line 6").waitFor();
    await changes.filter({ hasText: "Guests" }).getByText("New").waitFor();
    expect(await findViolations(page)).toEqual([]);

    await panel(page).getByRole("button", { name: "Import 4 records" }).press("Enter");
    await panel(page).getByText("Imported: 4 records").waitFor();
    await page.getByRole("link", { name: "Identity providers" }).click();
    const provider = page.getByRole("listitem").filter({ hasText: "Contoso" });
    await provider.getByText("Off").waitFor();
    await page.getByRole("link", { name: "Import and export" }).click();
    await panel(page).getByRole("textbox", { name: "Or paste its text" }).fill(text);
    await panel(page).getByRole("button", { name: "Show what it would change" }).click();
    await panel(page).getByText("The file changes nothing").waitFor();
    expect(
      await panel(page)
        .getByRole("button", { name: /^Import \d/ })
        .count(),
    ).toBe(0);
  });

  it("shows each mistake with its line and its place", async () => {
    const page = await open("/transfer");
    await choose(page, '{\n  "orgs": [\n    { "subdomain": "demo", }\n  ]\n}');
    const mistakes = panel(page).getByRole("list", { name: "Mistakes" });
    await mistakes.getByText(/^is not JSON: /).waitFor();
    await mistakes.getByText("Line 3").waitFor();

    await choose(page, fileOf({ zones: [{ name: "Broken", gateways: [{ type: "CIDR", value: "10.0.0.0/33" }] }] }));
    await mistakes.getByText("orgs[0].zones[0].gateways[0].value").waitFor();
    await mistakes.getByText("Line 11").waitFor();
    await panel(page).getByText("Nothing was changed.").waitFor();
    expect(await findViolations(page)).toEqual([]);
    expect(
      await panel(page)
        .getByRole("button", { name: /^Import/ })
        .count(),
    ).toBe(0);

    await choose(page, textOf({ subdomain: "acme" }));
    await mistakes.getByText("must be demo, the org of this host").waitFor();
    const largest = textOf({ subdomain: "demo" }).padEnd(ORG_FILE_LIMITS.bytes);
    await choose(page, largest);
    await panel(page).getByText("The file changes nothing").waitFor();
    await choose(page, `${largest} `);
    await mistakes.getByText(/^The file has more than 1 MiB\./).waitFor();
  });

  it("shows hostile names as text, also on a narrow screen", async () => {
    const page = await open("/transfer", { viewport: { width: 360, height: 700 } });
    await choose(page, fileOf({ zones: [zone(HOSTILE), zone(RIGHT_TO_LEFT)], users: [user(LONG)] }));
    for (const name of [HOSTILE, RIGHT_TO_LEFT, LONG]) {
      await panel(page).getByRole("listitem").filter({ hasText: name }).waitFor();
    }
    expect(await page.title()).not.toBe("taken over");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    expect(await findViolations(page)).toEqual([]);
  });

  it("says why the browser can't read a file", async () => {
    const page = await open("/transfer");
    await page.evaluate(
      `Blob.prototype.text = () => Promise.reject(new DOMException("It may not be read", "NotReadableError"))`,
    );
    await choose(page, fileOf({}));
    await panel(page).getByRole("alert").getByText("It may not be read").waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  it("tells of the file that was chosen last, though the one before is read later", async () => {
    const page = await open("/transfer");
    await page.evaluate(`{
      const { text } = Blob.prototype;
      let files = 0;
      Blob.prototype.text = async function () {
        if (files++ === 0) await new Promise((done) => (globalThis.readFirst = done));
        return text.call(this);
      };
    }`);
    await choose(page, fileOf({ zones: [zone("First"), zone("Second")] }));
    await choose(page, fileOf({ zones: [zone("Other")] }));
    await panel(page).getByText("The file would create or change 1 record").waitFor();
    await page.evaluate("readFirst()");
    await page.evaluate("new Promise((done) => setTimeout(done, 300))");
    await panel(page).getByRole("button", { name: "Import 1 record" }).waitFor();
  });

  it("cancels an import that takes long, and says how to find out what it did", async () => {
    const page = await open("/transfer");
    const held: Route[] = [];
    await page.route("**/org/import?dryRun=false", (route) => {
      held.push(route); // it never gets a response
    });
    await choose(page, fileOf({ zones: [zone("Slow")] }));
    await panel(page).getByRole("button", { name: "Import 1 record" }).click();
    await panel(page).getByRole("status").filter({ hasText: "Importing" }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await panel(page).getByRole("button", { name: "Cancel" }).click();
    await panel(page).getByText("The import did all or nothing.", { exact: false }).waitFor();
    await panel(page).getByRole("button", { name: "Show what it would change" }).click();
    await panel(page).getByText("The file would create or change 1 record").waitFor();
    await Promise.all(held.map((route) => route.abort().catch(() => undefined)));
  });

  it("exports a file that an import accepts, with and without users", async () => {
    const page = await open("/transfer");
    const section = page.getByRole("region", { name: "Export" });
    const exported = async (): Promise<string> => {
      const download = page.waitForEvent("download");
      await section.getByRole("button", { name: "Export" }).click();
      const file = await download;
      expect(file.suggestedFilename()).toBe("demo.json");
      return readFile(await file.path(), "utf8");
    };
    const text = await exported();
    await section.getByText(/^demo\.json has [\d.,]+ bytes\.$/).waitFor();
    expect(JSON.parse(text).orgs).toMatchObject([{ users: [{ profile: { login: "joe@example.com" } }] }]);
    await choose(page, text);
    await panel(page).getByText("The file changes nothing").waitFor();
    await section.getByRole("switch", { name: "With the users" }).press("Space");
    expect(await exported()).not.toContain("joe@example.com");
  });
});
