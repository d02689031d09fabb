import type { Page } from "playwright-core";
import { until } from "../../../test/support/until.js";
import { describeConsole, findViolations, send } from "../support/console-browser.js";
import { rule, samlIdp, zone } from "../support/documents.js";

const DOCUMENT = {
  orgs: [
    {
      subdomain: "demo",
      name: "Demo",
      idps: [samlIdp("Contoso")],
      zones: [zone("Office"), zone("Home")],
      rules: [rule("Employees", "Contoso")],
    },
  ],
};

const nameField = (page: Page) => page.getByRole("textbox", { name: "Name", exact: true });
const row = (page: Page, name: string) => page.getByRole("listitem").filter({ hasText: name });
const question = (page: Page) => page.getByRole("dialog", { name: "Discard what you wrote?" });

async function save(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

describeConsole("The address of a record", DOCUMENT, ({ open }) => {
  it("opens it, and its name leads there from wherever it stands", async () => {
    const page = await open("/idps");
    await row(page, "Contoso").getByRole("link", { name: "Contoso" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("link", { name: "Employees" }).waitFor();
    expect(page.url()).toMatch(/\/console\/idps\/[\w-]+$/);
    await until(async () => (await page.title()) === "Contoso · Identity providers · Demo");
    const address = page.url();

    await dialog.getByRole("link", { name: "Employees" }).click();
    await page.getByRole("dialog", { name: "Edit a rule" }).waitFor();
    await until(async () => (await page.title()) === "Employees · Routing rules · Demo");
    await page.goBack();
    await dialog.getByText("Used by these rules").waitFor();
    expect(page.url()).toBe(address);

    await page.goto(address);
    await dialog.getByText("Used by these rules").waitFor();
    await until(async () => (await page.title()) === "Contoso · Identity providers · Demo");
    await page.goto(`${address}x`);
    await page.getByText("This identity provider is not there").waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  it("leads from the decision of a login to the rule and to the provider", async () => {
    const page = await open("/?login=joe@example.com");
    await page.getByTestId("rule").getByRole("link").click();
    await page.getByRole("dialog", { name: "Edit a rule" }).waitFor();
  });

  it("gives the focus back to where it was, and else to the title of the page", async () => {
    const page = await open("/zones");
    const hasFocus = (name: string) =>
      until(
        async () =>
          (await page.evaluate("document.activeElement.ariaLabel || document.activeElement.textContent")) === name,
      );
    await page.getByRole("button", { name: "Edit the zone Home" }).click();
    await nameField(page).waitFor();
    await page.keyboard.press("Escape");
    await hasFocus("Edit the zone Home");
    await page.getByRole("button", { name: "Add a zone" }).click();
    await nameField(page).fill("Warehouse");
    await save(page);
    await hasFocus("Add a zone");
    await row(page, "Warehouse").getByRole("button").click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete the zone" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await hasFocus("Zones");
    await page.goto(page.url());
    await page.getByRole("heading", { name: "Zones" }).waitFor();
    await page.keyboard.press("Tab");
    await hasFocus("Skip to the page");
  });
});

describeConsole("What is not saved", DOCUMENT, ({ open }) => {
  it("is asked for by every way out of the form", async () => {
    const page = await open("/zones");
    await page.getByRole("button", { name: "Edit the zone Home" }).click();
    await nameField(page).fill("Homes");
    const waysOut = [
      () => page.keyboard.press("Escape"),
      () => page.getByRole("button", { name: "Cancel", exact: true }).click(),
      () => page.goBack(),
    ];
    for (const leave of waysOut) {
      await leave();
      await question(page).waitFor();
      await question(page).getByRole("button", { name: "Go on writing" }).click();
      await expect(nameField(page).inputValue()).resolves.toBe("Homes");
    }
    await page.keyboard.press("Escape");
    expect(await findViolations(page)).toEqual([]);
    await question(page).getByRole("button", { name: "Discard it" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Edit the zone Home" }).click();
    await expect(nameField(page).inputValue()).resolves.toBe("Home");
    await nameField(page).fill("Homes");
    await nameField(page).fill("Home"); // as it is stored
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  it("outlives the page, beside what others changed meanwhile", async () => {
    const page = await open("/zones");
    await page.getByRole("button", { name: "Edit the zone Home" }).click();
    await nameField(page).fill("Flat");
    await page.getByRole("textbox", { name: "Proxies" }).waitFor();
    const id = page.url().split("/").at(-1) ?? "";
    const stored = (await send(page, "GET", `/zones/${id}`)) as object;
    await send(page, "PUT", `/zones/${id}`, { ...stored, proxies: [{ type: "CIDR", value: "203.0.113.0/24" }] });
    await page.reload();
    await page.getByText("What you wrote before is here again.").waitFor();
    await expect(nameField(page).inputValue()).resolves.toBe("Flat");
    await expect(page.getByRole("textbox", { name: "Proxies" }).inputValue()).resolves.toBe("203.0.113.0/24");
    await save(page);
    await row(page, "Flat").waitFor();
  });
});
