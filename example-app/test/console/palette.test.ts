import type { Page } from "playwright-core";
import { until } from "../../../test/support/until.js";
import { describeConsole, findViolations } from "../support/console-browser.js";
import { oidcIdp, rule } from "../support/documents.js";

const DOCUMENT = {
  orgs: [
    {
      subdomain: "demo",
      name: "Demo",
      idps: ["Corporate", "Partners", "Søren 10", "Søren 2"].map((name) => oidcIdp(name)),
      zones: [{ name: "Partner offices", gateways: [{ type: "CIDR", value: "192.0.2.0/24" }] }],
      rules: ["partner-one", "partner-two", "other"].map((name) => rule(name, "Corporate")),
      users: [
        { profile: { login: "ann@partner.example", email: "ann@a.example", firstName: "Ann", lastName: "Adams" } },
      ],
    },
  ],
};

const FIELD = "Find a page, a record or a login";

async function openPalette(page: Page) {
  await page.getByRole("button", { name: "Search" }).waitFor();
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: FIELD }).or(page.getByRole("textbox", { name: FIELD }));
  await field.waitFor();
  return field;
}

describeConsole("The search over everything", DOCUMENT, ({ open }) => {
  it("opens by its key and by its button, and shows every page", async () => {
    const page = await open();
    const field = await openPalette(page);
    await until(() => page.evaluate(`document.activeElement.ariaLabel === "${FIELD}"`));
    expect(await page.getByRole("option").allTextContents()).toEqual(await page.locator("nav a").allTextContents());
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "detached" });
    const button = page.getByRole("button", { name: "Search" });
    await button.click();
    await field.waitFor();
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "detached" });
    await until(() => page.evaluate(`document.activeElement.textContent.startsWith("Search")`));
  });

  it("finds records of every kind by a part of their names, and opens them by keys alone", async () => {
    const page = await open();
    const field = await openPalette(page);
    await field.fill("partner");
    for (const name of ["partner-one", "partner-two", "Partners", "Partner offices"]) {
      await page.getByRole("option", { name, exact: true }).waitFor();
    }
    expect(await page.getByRole("option", { name: "other", exact: true }).count()).toBe(0);
    await page.getByRole("status").filter({ hasText: "found" }).first().waitFor({ state: "attached" });
    expect(await findViolations(page)).toEqual([]);
    await field.fill("partner off");
    await page.getByRole("option", { name: "Partner offices" }).waitFor();
    await page.locator("[data-combobox-selected]").getByText("Partner offices").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/console\/zones\/\w+$/);
    await page.getByRole("dialog").locator('[value="Partner offices"]').waitFor();
  });

  it("finds other letters too, and sorts as people do; so does the page of the records", async () => {
    const page = await open("/idps");
    await (await openPalette(page)).fill("soren");
    await page.getByRole("option", { name: "Søren 2", exact: true }).waitFor();
    expect(await page.getByRole("option").allTextContents()).toEqual(["Søren 2", "Søren 10"]);
    await page.keyboard.press("Escape");

    const rows = page.getByRole("list", { name: "Identity providers" }).getByRole("listitem");
    const namesOf = () => rows.getByRole("link").allTextContents();
    await until(async () => (await namesOf()).join() === "Corporate,Partners,Søren 2,Søren 10");
    await page.getByRole("textbox", { name: "Find an identity provider by its name" }).fill("10 SOREN");
    await until(async () => (await namesOf()).join() === "Søren 10");
    await page.getByText("1 identity provider", { exact: true }).waitFor();
  });

  it("finds a user by a name", async () => {
    const page = await open("/rules");
    await (await openPalette(page)).fill("adams");
    await page.getByRole("option", { name: /Ann Adams/ }).click();
    await page.waitForURL(/\/console\/users\/\w+$/);
  });

  it("tries a login, on its own page too", async () => {
    const page = await open("/rules");
    for (const login of ["joe@partner-one.example", "joe@nowhere.example"]) {
      await (await openPalette(page)).fill(login);
      await page.getByRole("option", { name: `Who signs in ${login}?` }).click();
      await page.getByText(`${login} signs in`).waitFor();
      expect(new URL(page.url()).searchParams.get("login")).toBe(login);
    }
  });

  it("says that nothing has the text", async () => {
    const page = await open();
    await (await openPalette(page)).fill("zzz");
    await page.getByText("Nothing has this in its name").waitFor();
  });

  it("opens on every page when the policy can't be read", async () => {
    const page = await open("/users");
    await page.route("**/api/v1/policies?**", (route) => route.abort());
    await (await openPalette(page)).fill("partner");
    await page
      .getByRole("alert")
      .getByText(/^Not everything was searched:/)
      .waitFor();
    await page.getByRole("option", { name: "Partners", exact: true }).waitFor();
    await page.locator("h1").getByText("Users").waitFor();
  });

  it("says so when the server does not answer", async () => {
    const page = await open();
    await page.route("**/api/v1/trustedOrigins?**", (route) => route.abort());
    await (await openPalette(page)).fill("partner");
    await page
      .getByRole("alert")
      .getByText(/^Not everything was searched:/)
      .waitFor();
    await page.getByRole("option", { name: "Partners", exact: true }).waitFor();
  });
});
