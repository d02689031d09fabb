import type { Page } from "playwright-core";
import { describeConsole, holdBack, send } from "../support/console-browser.js";
import { oidcIdp, rule, samlIdp } from "../support/documents.js";

const DOCUMENT = {
  orgs: [
    {
      subdomain: "demo",
      name: "Demo",
      idps: [oidcIdp("Corporate"), oidcIdp("Partners")],
      rules: [rule("one", "Corporate")],
    },
  ],
};

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

async function find(page: Page, name: string): Promise<Listed> {
  const all = (await send(page, "GET", "/idps")) as unknown as Listed[];
  return all.find((one) => one.name === name)!;
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

describeConsole("What comes late", DOCUMENT, ({ client, open }) => {
  it("changes no form in which one writes already: metadata", async () => {
    const page = await open("/idps");
    let answer = (): void => undefined;
    const isWanted = new Promise<void>((resolve) => (answer = resolve));
    await page.route("**/api/v1/idps/metadata", async (route) => {
      await isWanted;
      const { name, type, protocol } = samlIdp("Late");
      await route.fulfill({ json: { name, type, protocol } });
    });
    await button(page, "Add an identity provider").click();
    await page.getByRole("textbox", { name: "Address of its metadata, or its issuer" }).fill("https://idp.example/");
    await button(page, "Read").click();
    await button(page, "Fill in by hand").click();
    const name = page.getByRole("textbox", { name: "Name", exact: true });
    await name.fill("By hand");
    const answered = page.waitForResponse("**/api/v1/idps/metadata");
    answer();
    await (await answered).finished();
    await page.evaluate("new Promise((done) => setTimeout(done, 200))");
    await expect(name.inputValue()).resolves.toBe("By hand");
  });

  it("is no reason to save a rule without the type of its provider", async () => {
    const page = await open("/idps");
    const release = await holdBack(page, "**/api/v1/idps?**");
    await page.getByRole("link", { name: "Partners" }).click();
    await page.getByRole("link", { name: "Add a rule for this provider" }).click();
    const form = page.getByRole("dialog", { name: "Add a rule" });
    await form
      .getByRole("progressbar")
      .or(form.getByRole("textbox", { name: "Name" }))
      .waitFor();
    setTimeout(release, 500);
    await form.getByRole("textbox", { name: "Name" }).fill("added");
    await form.getByRole("textbox", { name: "Pattern 1" }).fill("added.example");
    await button(page, "Save").click();
    await form.waitFor({ state: "detached" });
    await page.getByText("If the login is at added.example or below → Partners").waitFor();
  });

  it("is no reason to keep a test of one login with the response for another", async () => {
    const page = await open();
    const login = page.getByRole("textbox", { name: "Login" });
    await login.fill("joe@a.example");
    await page.getByText("joe@a.example signs in at").waitFor();
    await page.getByRole("button", { name: "Keep as a test", disabled: false }).waitFor();
    const release = await holdBack(page, "**/trace?**");
    await login.fill("kim@b.example");
    await page.getByRole("button", { name: "Keep as a test", disabled: true }).waitFor();
    release();
    await page.getByText("kim@b.example signs in at").waitFor();
    await page.getByRole("button", { name: "Keep as a test", disabled: false }).waitFor();
  });

  it("turns no switch around: what somebody else has switched off meanwhile stays off", async () => {
    const page = await open();
    await page.clock.install();
    await page.goto(`${client().origin}/console/idps`);
    await page.getByRole("switch", { name: "The identity provider Corporate is on" }).press("Space");
    const question = page.getByRole("dialog", { name: "Switch the identity provider Corporate off?" });
    await question.waitFor();
    const { id } = await find(page, "Corporate");
    await send(page, "POST", `/idps/${id}/lifecycle/deactivate?allowShadowing=true`);
    await page.clock.fastForward(11_000); // what was read is not fresh any more
    await page.evaluate(`document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))`);
    await page.locator("[role=listitem]").filter({ hasText: "Corporate" }).getByText("Off", { exact: true }).waitFor();
    await question.getByRole("button", { name: "Switch it off" }).click();
    await question.waitFor({ state: "detached" });
    expect((await find(page, "Corporate")).status).toBe("INACTIVE");
  });

  it("is not counted as nothing: API tokens", async () => {
    const page = await open();
    const release = await holdBack(page, "**/api/v1/apiTokens?**");
    await page.getByRole("link", { name: "API tokens" }).click();
    await page.getByRole("progressbar", { name: "Reading the tokens" }).waitFor();
    expect(await page.getByText(/^\d+ tokens?$/).count()).toBe(0);
    release();
    await page.getByText(/^[1-9]\d* tokens?$/).waitFor();
  });

  it("is told in a place that a screen reader knows already", async () => {
    const page = await open();
    await page.getByText("Type a login to begin").waitFor();
    await page.evaluate(`document.querySelectorAll("main [role=status]").forEach((place) => (place.dataset.old = ""))`);
    await page.getByRole("textbox", { name: "Login" }).fill("joe@a.example");
    await page.locator("[role=status][data-old]").getByText("joe@a.example signs in at").waitFor();
  });
});

const TWO_RULES = {
  orgs: [
    {
      subdomain: "demo",
      name: "Demo",
      idps: [oidcIdp("Corporate")],
      rules: [rule("one", "Corporate"), rule("two", "Corporate")],
    },
  ],
};

describeConsole("What one writes after a refusal", TWO_RULES, ({ open }) => {
  it("is what is saved anyway", async () => {
    const page = await open("/rules");
    await button(page, "Edit the rule one").click();
    const pattern = page.getByRole("textbox", { name: "Pattern 1" });
    await pattern.fill("example");
    await button(page, "Save").click();
    await button(page, "Save anyway").waitFor();
    await pattern.fill("other.example");
    await button(page, "Save anyway").click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByText("If the login is at other.example or below → Corporate").waitFor();
  });
});
