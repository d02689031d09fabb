import type { Page } from "playwright-core";
import { describeConsole, findViolations } from "../support/console-browser.js";
import { oidcIdp, rule } from "../support/documents.js";

const patterns = (...values: string[]) => ({
  userIdentifier: { type: "IDENTIFIER", patterns: values.map((value) => ({ matchType: "EQUALS", value })) },
});
const to = (idp: string) => ({ idp: { providers: [{ idp }] } });

const DOCUMENT = {
  orgs: [
    {
      subdomain: "demo",
      name: "Demo",
      zones: [{ name: "Büro", gateways: [{ type: "CIDR", value: "192.0.2.0/24" }] }],
      idps: [oidcIdp("Partner 10"), oidcIdp("Partner 2"), oidcIdp("Corporate")],
      rules: [
        rule("one", "Corporate"),
        {
          name: "Office phones",
          conditions: {
            network: { connection: "ZONE", include: ["Büro"] },
            platform: { include: [{ type: "MOBILE", os: { type: "IOS" } }] },
          },
          actions: to("Partner 10"),
        },
        {
          name: "Guests",
          conditions: patterns("a@x.example", "b@x.example", "c@x.example", "ann@listed.example"),
          actions: to("Partner 2"),
        },
        {
          name: "Sales",
          conditions: {
            userIdentifier: {
              type: "ATTRIBUTE",
              attribute: "department",
              patterns: [{ matchType: "EQUALS", value: "sales" }],
            },
          },
          actions: {
            idp: {
              idpSelectionType: "DYNAMIC",
              matchCriteria: [{ propertyName: "name", providerExpression: "login.identifier.substringAfter('@')" }],
            },
          },
        },
      ],
    },
  ],
};

const NAMES = /(one|Office phones|Guests|Sales|Copy of Guests|Default Rule)/;
const namesOf = (page: Page) =>
  page
    .getByRole("list", { name: "Rules in their order" })
    .getByRole("listitem")
    .evaluateAll((rows, source) => rows.map((row) => new RegExp(source).exec(row.textContent)?.[0]), NAMES.source);

describeConsole("Rules that one looks for", DOCUMENT, ({ open }) => {
  it.each([
    ["ONE.Example", ["one"]],
    ["buro", ["Office phones"]],
    ["ios partner", ["Office phones"]],
    ["10 PHONES", ["Office phones"]],
    ["ann@listed", ["Guests"]],
    ["department", ["Sales"]],
    ["substringAfter", ["Sales"]],
    ["one.example corporate", ["one"]],
    ["sales partner", []],
  ])("are found by %s", async (search, names) => {
    const page = await open("/rules");
    await page.getByText("5 rules", { exact: true }).waitFor();
    await page.getByRole("textbox", { name: "Find a rule" }).fill(search);
    await page.getByText(`${names.length} of 5 rules`).waitFor();
    expect(await namesOf(page)).toEqual(names);
  });

  it("show what was found, also what the row has not", async () => {
    const page = await open("/rules");
    await page.getByRole("textbox", { name: "Find a rule" }).fill("ann@listed guests");
    await page.getByText("Found: is ann@listed.example").waitFor();
    expect(await page.locator("mark").allTextContents()).toEqual(["Guests", "ann@listed"]);
    expect(await findViolations(page)).toEqual([]);
  });

  it("are those without a login in 90 days", async () => {
    const page = await open("/rules");
    await page.getByRole("checkbox", { name: "No login in 90 days (5)" }).click();
    await page.getByText("5 rules", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Move the rule one" }).isDisabled()).toBe(true);
  });
});

describeConsole("A new rule", DOCUMENT, ({ open }) => {
  it("is like another one, right after it, once it is saved", async () => {
    const page = await open("/rules");
    await page.getByRole("button", { name: "Duplicate the rule Guests" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a rule" });
    expect(await dialog.getByRole("textbox", { name: "Name", exact: true }).inputValue()).toBe("Copy of Guests");
    expect(await dialog.getByRole("textbox", { name: "Place" }).inputValue()).toBe("4");
    await dialog
      .getByRole("textbox", { name: "Pattern 4" })
      .and(page.locator('[value="ann@listed.example"]'))
      .waitFor();
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("5 rules", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Duplicate the rule Guests" }).click();
    for (const value of ["d", "e", "f", "g"].entries())
      await dialog.getByRole("textbox", { name: `Pattern ${value[0] + 1}` }).fill(`${value[1]}@y.example`);
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("6 rules", { exact: true }).waitFor();
    expect(await namesOf(page)).toEqual(["one", "Office phones", "Guests", "Copy of Guests", "Sales", "Default Rule"]);
  });

  it("folds the conditions that it has not", async () => {
    const page = await open("/rules/new");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Where from: any network").waitFor();
    await dialog.getByText("With which device: any device").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Change: Where from" }).click();
    await dialog.getByRole("combobox", { name: "In one of these zones", exact: true }).waitFor();
    await page.goto(page.url().replace("/new", ""));
    await page.getByRole("button", { name: "Edit the rule Office phones" }).click();
    await dialog.getByRole("combobox", { name: "In one of these zones", exact: true }).waitFor();
    await dialog.getByRole("combobox", { name: "One of these devices", exact: true }).waitFor();
  });

  it("opens the folded condition that the server finds wrong", async () => {
    const page = await open("/rules/new");
    const dialog = page.getByRole("dialog");
    await page.route("**/rules", (route) =>
      route.request().method() === "POST"
        ? route.fulfill({
            status: 400,
            json: {
              errorCode: "E0000001",
              errorSummary: "Api validation failed",
              errorId: "id",
              errorCauses: [{ errorSummary: "conditions.platform.include: must not be empty" }],
            },
          })
        : route.continue(),
    );
    await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("x");
    await dialog.getByRole("textbox", { name: "Pattern 1" }).fill("x.example");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("See With which device.").waitFor();
    await dialog.getByText("must not be empty").waitFor();
    await dialog.getByRole("combobox", { name: "One of these devices", exact: true }).waitFor();
  });

  it("is for the provider from whose page one comes; names stand as people sort them", async () => {
    const page = await open("/idps");
    await page.getByRole("link", { name: "Corporate" }).click();
    await page.getByRole("link", { name: "Add a rule for this provider" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a rule" });
    await dialog.getByText("Corporate", { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.has("idp")).toBe(true);
    await dialog.getByRole("combobox", { name: "Identity providers" }).click();
    expect(await page.getByRole("option").allTextContents()).toEqual(["Partner 2", "Partner 10", "Demo itself"]);
  });
});
