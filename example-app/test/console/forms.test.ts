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

describeConsole("What was done", DOCUMENT, ({ open }) => {
  const message = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text });

  async function undo(page: Page, text: string): Promise<void> {
    await message(page, text).getByRole("button", { name: "Undo" }).click();
    await message(page, "The change was taken back.").waitFor();
  }

  it("is told, and taken back with one click: an edit, a switch, a deletion", async () => {
    const page = await open("/zones");
    await page.getByRole("button", { name: "Edit the zone Home" }).click();
    await nameField(page).fill("House");
    await save(page);
    await message(page, "Saved the zone House.").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await undo(page, "Saved the zone House.");
    await page.getByRole("button", { name: "Edit the zone Home" }).waitFor();

    await page.getByRole("switch", { name: "The zone Home is on", disabled: false }).click({ force: true });
    await message(page, "Switched the zone Home off.").getByRole("button", { name: "Undo" }).waitFor();
    await page.getByRole("switch", { name: "The zone Home is on", disabled: false }).click({ force: true });
    await undo(page, "Switched the zone Home on.");
    await until(async () => !(await page.getByRole("switch", { name: "The zone Home is on" }).isChecked()));

    await page.getByRole("button", { name: "Edit the zone Home" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete the zone" }).click();
    await undo(page, "Deleted the zone Home.");
    await row(page, "Home").waitFor();
  });

  it("is told, and taken back with one click: a rule that was added", async () => {
    const page = await open("/rules");
    await page.getByRole("button", { name: "Add a rule" }).click();
    await nameField(page).fill("Partners");
    await page.getByRole("textbox", { name: "Pattern 1" }).fill("partners.example");
    await page.getByRole("combobox", { name: "Identity providers" }).click();
    await page.getByRole("option", { name: "Contoso" }).click();
    await page.keyboard.press("Escape");
    await save(page);
    await undo(page, "Added the rule Partners.");
    await row(page, "Partners").waitFor({ state: "detached" });

    await page.getByRole("link", { name: "System Log" }).click();
    await page.getByRole("heading", { name: "System Log" }).waitFor();
    await until(async () => (await message(page, "taken back").count()) === 0);
  });

  it("is not taken back when somebody else has changed it since", async () => {
    const page = await open("/zones");
    await page.getByRole("button", { name: "Edit the zone Office" }).click();
    await nameField(page).fill("Offices");
    const id = page.url().split("/").at(-1) ?? "";
    await save(page);
    await message(page, "Saved the zone Offices.").getByRole("button", { name: "Undo" }).waitFor();
    const stored = (await send(page, "GET", `/zones/${id}`)) as object;
    await send(page, "PUT", `/zones/${id}`, { ...stored, name: "Bureau" });
    await message(page, "Saved the zone Offices.").getByRole("button", { name: "Undo" }).click();
    await page.getByText("It was changed again meanwhile").waitFor();
    await page.getByRole("button", { name: "Close the message" }).click();
    await until(async () => (await message(page, "Offices").count()) === 0);
  });
});
