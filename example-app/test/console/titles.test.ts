import { until } from "../../../test/support/until.js";
import { describeConsole, findViolations, send } from "../support/console-browser.js";
import { rule, samlIdp, trustedOrigin, user, zone } from "../support/documents.js";

const DOCUMENT = {
  orgs: [
    {
      subdomain: "demo",
      name: "Demo",
      idps: [samlIdp("Contoso")],
      zones: [zone("Office")],
      trustedOrigins: [trustedOrigin("Portal")],
      rules: [rule("Employees", "Contoso")],
      users: [user("joe@contoso.example")],
    },
  ],
};

const PAGES = [
  ["/", "Try a login"],
  ["/rules", "Routing rules"],
  ["/tests", "Routing tests"],
  ["/idps", "Identity providers"],
  ["/zones", "Zones"],
  ["/origins", "Trusted origins"],
  ["/users", "Users"],
  ["/tokens", "API tokens"],
  ["/log", "System Log"],
  ["/history", "History"],
  ["/transfer", "Import and export"],
] as const;

/** A record of each page that has some. */
const RECORDS = [
  ["/rules", "Employees", "Routing rules"],
  ["/idps", "Contoso", "Identity providers"],
  ["/zones", "Office", "Zones"],
  ["/origins", "Portal", "Trusted origins"],
  ["/users", "Joe Doe", "Users"],
] as const;

describeConsole("The title of the tab", DOCUMENT, ({ open }) => {
  it.each(PAGES)(
    "at %s is that of the page and of the org, as the heading and the navigation have it",
    async (path, title) => {
      const page = await open(path);
      await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
      await until(async () => (await page.title()) === `${title} · Demo`);
      expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
      const current = page.getByRole("navigation").locator("[aria-current=page]");
      expect(await current.allTextContents()).toEqual([title]);
    },
  );

  it("where there is no page says so, as its heading does", async () => {
    const page = await open("/nowhere");
    await page.getByRole("heading", { level: 1, name: "There is no such page" }).waitFor();
    await until(async () => (await page.title()) === "There is no such page · Demo");
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("main").getByRole("link", { name: "Try a login" }).click();
    await page.getByRole("heading", { level: 1, name: "Try a login" }).waitFor();
  });

  it.each(RECORDS)(
    "at %s names the record %s that is open, and no other once it is closed",
    async (path, name, title) => {
      const page = await open(path);
      await page.getByRole("link", { name, exact: true }).first().click();
      await until(async () => (await page.title()) === `${name} · ${title} · Demo`);
      await page.keyboard.press("Escape");
      await until(async () => (await page.title()) === `${title} · Demo`);
    },
  );

  it("follows the name of a record", async () => {
    const page = await open("/zones");
    await page.getByRole("link", { name: "Office", exact: true }).click();
    await until(async () => (await page.title()) === "Office · Zones · Demo");
    const id = page.url().split("/").at(-1) ?? "";
    const stored = (await send(page, "GET", `/zones/${id}`)) as object;
    await send(page, "PUT", `/zones/${id}`, { ...stored, name: "Bureau" });
    await page.reload();
    await until(async () => (await page.title()) === "Bureau · Zones · Demo");
  });
});
