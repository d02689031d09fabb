import type { Page } from "playwright-core";
import { until } from "../../../test/support/until.js";
import { describeConsole, findViolations, send } from "../support/console-browser.js";
import { oidcIdp } from "../support/documents.js";

const suffix = (value: string) => ({
  userIdentifier: { type: "IDENTIFIER", patterns: [{ matchType: "SUFFIX", value }] },
});
const rule = (name: string, value: string, provider: string) => ({
  name,
  conditions: suffix(value),
  actions: { idp: { providers: [{ idp: provider }] } },
});
const HOSTILE = `<script>document.title="taken over"</script>`;
const RTL = "moc.elpmaxe@eoj שלום";
const LONG = `${"x".repeat(245)}@h.example`;

const DOCUMENT = {
  orgs: [
    {
      subdomain: "demo",
      name: "Demo",
      idps: [oidcIdp("Corporate"), oidcIdp("Partners"), oidcIdp(RTL)],
      rules: [
        rule("one", "a.example", "Corporate"),
        rule("two", "a.example", "Partners"),
        rule(HOSTILE, "h.example", RTL),
      ],
    },
  ],
};

/** Try logins, as a person does, then go to the rules. */
async function tryLogins(page: Page, ...logins: string[]): Promise<void> {
  for (const login of logins) {
    await page.getByRole("textbox", { name: "Login" }).fill(login);
    await page.getByRole("group", { name: "Tried last" }).getByRole("button", { name: login }).waitFor();
  }
  await page.getByRole("link", { name: "Routing rules" }).click();
  await page.getByRole("listitem").first().waitFor();
}

describeConsole("What a change does to the logins tried last", DOCUMENT, ({ open }) => {
  it("is told of all logins of the log: what moves where, with examples", async () => {
    const page = await open("/rules");
    const [policy] = await send(page, "GET", "/policies?type=IDP_DISCOVERY");
    const logins = ["joe@a.example", "ann@a.example", "kim@elsewhere.example", "joe@a.example"];
    for (const login of logins) {
      const resource = encodeURIComponent(`svc:acct:${login}`);
      await page.evaluate((path) => fetch(path).then(({ ok }) => ok), `/.well-known/webfinger?resource=${resource}`);
    }
    const logged = `/logs?filter=${encodeURIComponent(`debugContext.debugData.policyId eq "${policy.id}"`)}`;
    await until(async () => (await send(page, "GET", logged)).length >= logins.length);
    await page.getByRole("button", { name: "Edit the rule one" }).click();
    await page.getByRole("textbox", { name: "Pattern 1" }).fill("joe@a.example");
    const region = page.getByRole("region", { name: "Logins of the log" });
    await region.getByRole("button", { name: "Replay their logins" }).click();
    await region.getByText(/^1 of 3 logins since .* would go elsewhere\.$/).waitFor();
    expect(await region.getByRole("row").nth(1).getByRole("cell").allTextContents()).toEqual([
      "Corporate",
      "Partners",
      "1",
      "Examples",
    ]);
    await region.getByRole("button", { name: "Examples: from Corporate to Partners" }).click();
    await region.getByText("ann@a.example").waitFor();
    expect(
      await region
        .getByRole("img", { name: /^What moves where/ })
        .locator("path")
        .count(),
    ).toBe(1);
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("textbox", { name: "Pattern 1" }).fill("a.example");
    await region.getByText("The rule was changed since. Replay again.").waitFor();
    await region.getByRole("button", { name: "Replay their logins" }).click();
    await region.getByText(/^0 of 3 logins since/).waitFor();
  });

  it("is shown while one writes a rule", async () => {
    const page = await open();
    await tryLogins(page, "joe@a.example", "joe@b.example");
    await page.getByRole("button", { name: "Add a rule" }).click();
    const whatIf = page.getByRole("region", { name: "Test logins" });
    await whatIf.getByText("when the rule has a name").waitFor();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("new");
    await page.getByRole("textbox", { name: "Pattern 1" }).fill("b.example");
    await page.getByRole("combobox", { name: "Identity providers" }).click();
    await page.getByRole("option", { name: "Partners" }).click();
    await page.keyboard.press("Escape");
    await whatIf.getByText(/^joe@b\.example: Demo itself.*Partners by new$/).waitFor();
    await whatIf.getByText(/^1 of \d test logins goes elsewhere\.$/).waitFor();
    expect(await findViolations(page)).toEqual([]);

    await page.getByRole("textbox", { name: "Pattern 1" }).fill("c.example");
    await whatIf.getByText(/^joe@c\.example: Demo itself.*Partners by new$/).waitFor(); // nobody has tried it
    expect(await whatIf.getByText(/^joe@b\.example: .* by new$/).count()).toBe(0);
    await whatIf.getByText("Which were tested").click();
    await whatIf.getByText("joe@elsewhere.example: Default Rule").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("4 rules").waitFor();
  });

  it("is shown before one deletes a rule", async () => {
    const page = await open();
    await tryLogins(page, "joe@a.example");
    await page.getByRole("button", { name: "Edit the rule one" }).click();
    const whatIf = page.getByRole("region", { name: "Test logins" });
    await whatIf.getByText("test logins go where they go now.").waitFor();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await whatIf.getByText(/^joe@a\.example: Corporate.*Partners by two$/).waitFor();
    const question = page.getByRole("group", { name: /^Delete the rule .*\?$/ });
    expect(await findViolations(page)).toEqual([]);
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "detached" });
    await whatIf.getByText("test logins go where they go now.").waitFor();
  });

  it("asks before a switch that sends a login elsewhere, and not before others", async () => {
    const page = await open();
    await tryLogins(page, "joe@a.example");
    await page.getByRole("switch", { name: "The rule one is on", disabled: false }).press("Space");
    const dialog = page.getByRole("dialog", { name: "Switch the rule one off?" });
    await dialog.getByText(/^joe@a\.example: Corporate.*Partners by two$/).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("switch", { name: "The rule two is on", disabled: false }).press("Space");
    await page.getByRole("listitem").filter({ hasText: "two" }).getByText("Off").waitFor();
    await page.getByRole("switch", { name: "The rule one is on", disabled: false }).press("Space");
    await dialog.getByRole("button", { name: "Switch it off" }).press("Enter");
    await page.getByRole("listitem").filter({ hasText: "one" }).getByText("Off").waitFor();
    for (const name of ["two", "one"]) {
      await page.getByRole("switch", { name: `The rule ${name} is on`, disabled: false }).press("Space");
      await page.getByRole("button", { name: "Switch it on" }).click();
      if (name === "one") await page.getByRole("button", { name: "Save anyway" }).click(); // nobody reaches two then
      await page.getByRole("listitem").filter({ hasText: name }).getByText("Off").waitFor({ state: "detached" });
    }
  });

  it("asks before a rule moves by mouse", async () => {
    const page = await open();
    await tryLogins(page, "joe@a.example");
    const drag = async () => {
      const grip = await page.getByRole("button", { name: "Move the rule one" }).boundingBox();
      const target = await page.getByRole("button", { name: "Move the rule two" }).boundingBox();
      await page.mouse.move(grip!.x + grip!.width / 2, grip!.y + grip!.height / 2);
      await page.mouse.down();
      await page.mouse.move(target!.x + target!.width / 2, target!.y + target!.height / 2 + 4, { steps: 12 });
      await page.getByText(/^one, place 2 of \d+$/).waitFor({ state: "attached" });
      await page.mouse.up();
    };
    await drag();
    const dialog = page.getByRole("dialog", { name: "Move the rule one?" });
    await dialog.getByText(/^joe@a\.example: Corporate.*Partners by two$/).waitFor();
    const moved = page.waitForResponse((response) => response.request().method() === "PUT");
    await dialog.getByRole("button", { name: "Move it" }).click();
    expect((await moved).status()).toBe(200);
    await page.getByRole("listitem").first().getByText("two", { exact: true }).waitFor();
  });

  it("shows names as text, whatever they are, also on a narrow screen", async () => {
    const page = await open("", { viewport: { width: 360, height: 780 } });
    await page.getByRole("textbox", { name: "Login" }).fill(LONG);
    await page.getByTestId("provider").getByText(RTL).waitFor();
    await page.getByRole("button", { name: "Pages" }).click();
    await page.getByRole("link", { name: "Routing rules" }).click();
    await page.getByRole("switch", { name: `The rule ${HOSTILE} is on`, disabled: false }).press("Space");
    const dialog = page.getByRole("dialog", { name: `Switch the rule ${HOSTILE} off?` });
    await dialog.getByRole("listitem").getByText(LONG).waitFor();
    await dialog.getByText(RTL).first().waitFor();
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
    expect(await page.title()).not.toBe("taken over");
  });

  it("sees an edit that takes all of another rule, which nobody has tried, and tells it when it is saved", async () => {
    const page = await open("/rules");
    await page.getByRole("button", { name: `Edit the rule ${HOSTILE}` }).click();
    await page.getByRole("textbox", { name: "Place" }).fill("1");
    await page.getByRole("textbox", { name: "Pattern 1" }).fill("a.example");
    const whatIf = page.getByRole("region", { name: "Test logins" });
    await whatIf
      .getByText(/^joe@a\.example: .* by <script>/)
      .first()
      .waitFor();
    await whatIf
      .getByRole("group", { name: "What may be wrong then" })
      .getByText(/"one" .* can't be reached/)
      .waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Save anyway" }).click();
    const message = page.getByRole("status").filter({ hasText: "Saved the rule" });
    await message.getByText(/\. \d of \d test logins go elsewhere\.$/).waitFor();
    await message.getByRole("button", { name: "Undo" }).click();
    await page.getByText("The change was taken back.").waitFor();
  });

  it("can be stopped", async () => {
    const page = await open("/rules");
    await page.route("**/preview", () => undefined); // never answered
    await page.getByRole("button", { name: "Edit the rule one" }).click();
    const region = page.getByRole("region", { name: "Logins of the log" });
    const failed = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/preview"));
    await region.getByRole("button", { name: "Replay their logins" }).click();
    await region.getByRole("button", { name: "Stop" }).click();
    await failed;
    await region.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    expect(await region.getByRole("alert").count()).toBe(0);
  });
});
