import { describeConsole, findViolations, holdBack, send } from "../support/console-browser.js";
import { oidcIdp } from "../support/documents.js";

const rule = (name: string, value: string, provider: string) => ({
  name,
  conditions: { userIdentifier: { type: "IDENTIFIER", patterns: [{ matchType: "SUFFIX", value }] } },
  actions: { idp: { providers: [{ idp: provider }] } },
});
const DOCUMENT = {
  orgs: [
    {
      subdomain: "demo",
      name: "Demo",
      idps: [oidcIdp("Corporate"), oidcIdp("Partners")],
      rules: [rule("one", "a.example", "Corporate"), rule("two", "b.example", "Partners")],
    },
  ],
};

describeConsole("Routing tests", DOCUMENT, ({ open }) => {
  it("are kept from a login that one tries, and tell whether it still goes there", async () => {
    const page = await open("/tests");
    await page.getByText("No tests yet").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("link", { name: "Try a login" }).last().click();
    for (const login of ["joe@a.example", "kim@elsewhere.example"]) {
      await page.getByRole("textbox", { name: "Login" }).fill(login);
      await page.getByText(`${login} signs in at`).waitFor();
      await page.getByRole("button", { name: "Keep as a test" }).click();
      await page.getByText("It is one of the routing tests now.").waitFor();
    }
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("link", { name: "routing tests", exact: true }).click();
    await page.getByText("2 tests, none fails").waitFor();
    await page.getByText("joe@a.example from 127.0.0.1 must go to Corporate. It does.").waitFor();
    await page.getByText("kim@elsewhere.example from 127.0.0.1 must go to Demo itself. It does.").waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  it("have rows without words until they are read", async () => {
    const page = await open();
    const release = await holdBack(page, "**/routingTests?**");
    await page.getByRole("link", { name: "Routing tests" }).click();
    await page.getByRole("heading", { name: "Routing tests" }).waitFor();
    await page.getByRole("progressbar", { name: "Running the tests" }).waitFor();
    expect(await page.locator("main .skeleton:visible").count()).toBe(6);
    expect(await findViolations(page)).toEqual([]);
    release();
    await page.getByText("2 tests, none fails").waitFor();
    expect(await page.locator(".skeleton").count()).toBe(0);
  });

  it("refuse a change of a rule, a provider and a restore, unless one goes on", async () => {
    const page = await open("/rules");
    await page.getByRole("switch", { name: "The rule one is on", disabled: false }).press("Space");
    const refusal = page.getByText('"joe@a.example": joe@a.example from 127.0.0.1: expected "Corporate", got');
    await refusal.waitFor();
    await page.getByRole("link", { name: "Identity providers" }).click();
    await page.getByRole("switch", { name: "The identity provider Corporate is on" }).press("Space");
    const question = page.getByRole("dialog", { name: "Switch the identity provider Corporate off?" });
    await question.getByText("1 active rule uses it:").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await question.getByRole("button", { name: "Switch it off" }).click();
    await refusal.waitFor();
    expect(await findViolations(page)).toEqual([]);
    expect(await page.getByText("allowFailingTests").count()).toBe(0);
    await page.getByRole("button", { name: "Switch anyway" }).click();
    await page.getByRole("listitem").filter({ hasText: "Corporate" }).getByText("Off").waitFor();
    await page.getByRole("link", { name: "Routing tests" }).click();
    await page.getByText("2 tests, 1 of them fails").waitFor();
    const [failing] = await page.getByRole("listitem").allTextContents();
    expect(failing).toContain("It goes to Demo itself by the rule Default Rule.");
    expect(await findViolations(page)).toEqual([]);

    await page.getByRole("link", { name: "History" }).click();
    const undo = page.getByRole("button", { name: /^Undo: / });
    await undo.first().click();
    await page.getByRole("dialog").getByRole("button", { name: "Undo" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const list = page.getByRole("list", { name: "Changes, the newest first" });
    await list.getByRole("listitem").nth(2).waitFor();
    await undo.first().click(); // the undoing itself
    await page.getByRole("dialog").getByRole("button", { name: "Undo", exact: true }).click();
    await refusal.waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Undo anyway" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  it("refuse an import too, and end with a question", async () => {
    const page = await open("/transfer");
    const [policy] = await send(page, "GET", "/policies?type=IDP_DISCOVERY");
    const [corporate] = await send(page, "GET", "/idps");
    await send(page, "POST", `/idps/${corporate.id}/lifecycle/activate`);
    const all = { name: "all", actions: { idp: { providers: [{ idp: "Partners" }] } } };
    await page.getByLabel("Or paste its text").fill(JSON.stringify({ orgs: [{ subdomain: "demo", rules: [all] }] }));
    await page.getByRole("button", { name: "Show what it would change" }).click();
    await page.getByText(/joe@a\.example from 127\.0\.0\.1: expected "Corporate", got "Partners"/).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Go on although tests fail" }).click();
    await page.getByRole("button", { name: "Import 1 record" }).click();
    await page.getByText("Imported: 1 record").waitFor();

    await page.getByRole("link", { name: "Routing tests" }).click();
    await page.getByText("2 tests, 2 of them fail").waitFor();
    await page.getByRole("button", { name: "Delete the test joe@a.example" }).click();
    await page.getByRole("button", { name: "Delete the test", exact: true }).click();
    await page.getByText("1 test, which fails").waitFor();
    expect(await send(page, "GET", `/policies/${policy.id}/routingTests`)).toHaveLength(1);
  });
});
