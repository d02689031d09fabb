/** @jest-environment node */
import type { Page } from "playwright-core";
import { describeConsole, findViolations } from "../support/console-browser.js";
import { oidcIdp, rule } from "../support/documents.js";

const DOCUMENT = {
  orgs: [
    {
      subdomain: "demo",
      name: "Demo",
      idps: [oidcIdp("Contoso")],
      rules: [rule("one", "Contoso"), rule("two", "Contoso"), { ...rule("x.two", "Contoso"), name: "three" }],
    },
  ],
};

const GERMAN = { locale: "de-DE" };

/** The texts on the page that have an English word. */
const ENGLISH = `[...document.querySelectorAll("body *")]
  .flatMap(({ childNodes }) => [...childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data))
  .filter((text) => /\\b(?:the|is|must|not|can't|priority|found|expected|such|logins of)\\b/.test(text))`;

/** Refuses what forms send to such a path, with these causes. */
const refuse = (page: Page, path: string, ...causes: string[]) =>
  page.route(path, (route) =>
    route.request().method() === "POST"
      ? route.fulfill({
          status: 400,
          json: {
            errorCode: "E0000001",
            errorSummary: "Api validation failed: name",
            errorId: "id",
            errorCauses: causes.map((errorSummary) => ({ errorSummary })),
          },
        })
      : route.continue(),
  );

const save = (page: Page) => page.getByRole("button", { name: "Speichern", exact: true }).click();

describeConsole("What the server says, in German", DOCUMENT, ({ open }) => {
  it("stands at the field that is wrong", async () => {
    const page = await open("/zones/new", GERMAN);
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("ALL_ZONES");
    await dialog.getByRole("textbox", { name: "Gateways" }).fill("10.0.0.0/33\n10.0.0.9/8");
    await save(page);
    await dialog.getByText("darf nicht ALL_ZONES sein: So heißen in einer Regel alle Zonen zusammen").waitFor();
    await dialog.getByText("Zeile 1: „10.0.0.0/33“ muss mit einer Präfixlänge von 0 bis 32 enden").waitFor();
    await dialog.getByText("Zeile 2: „10.0.0.9/8“ passt nicht zu seinem Präfix; der Block ist „10.0.0.0/8“").waitFor();
    expect(await page.evaluate(ENGLISH)).toEqual([]);
    expect(await findViolations(page)).toEqual([]);
  });

  it("says why a rule is not saved, and what may be wrong with it", async () => {
    const page = await open("/rules", GERMAN);
    await page
      .getByText("„three“ (Platz 3) wird nie erreicht: Alles, was sie erfasst, geht an „two“ (Platz 2).")
      .waitFor();
    await page.getByRole("button", { name: "Regel one bearbeiten" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("„@one.example“ erfasst keine Subdomains.", { exact: false }).waitFor();
    await dialog.getByRole("textbox", { name: "Muster 1" }).fill("example");
    await save(page);
    const problem = dialog.getByRole("alert").filter({ hasText: "unerreichbar" });
    await problem.getByText("Die Änderung würde eine andere Regel unerreichbar machen.").waitFor();
    await problem.getByText("„two“ (Platz 2) wird nie erreicht", { exact: false }).waitFor();
    await dialog.getByRole("button", { name: "Trotzdem speichern" }).waitFor();
    expect(await page.evaluate(ENGLISH)).toEqual([]);
    expect(await findViolations(page)).toEqual([]);
  });

  it("says what is wrong in a filter, with the place", async () => {
    const page = await open("/users", GERMAN);
    await page.getByText("Filter", { exact: true }).click();
    await page.getByRole("textbox", { name: "Nach genauen Werten filtern" }).fill('profile.login co "ann"');
    await page.getByText('An Stelle 14 steht "co"; erwartet: eins von eq nach "profile.login".').waitFor();
    expect(await page.getByTestId("mistake").textContent()).toBe("co");
  });

  it("says what is wrong in a file, whoever finds it", async () => {
    const page = await open("/transfer", GERMAN);
    const text = page.getByRole("textbox", { name: "Oder den Text einfügen" });
    const show = page.getByRole("button", { name: "Zeigen, was sie ändern würde" });
    await text.fill('{ "orgs": [ 1 2 ] }');
    await show.click();
    await page.getByText("ist kein JSON: hier wird ein Komma erwartet").waitFor();
    await text.fill('{ "orgs": [{ "subdomain": "acme" }] }');
    await show.click();
    await page.getByText("orgs[0].subdomain: muss demo sein, die Organisation dieses Hosts").waitFor();
    expect(await page.evaluate(ENGLISH)).toEqual([]);
  });

  it("stays English where German has no words for it, and says that it is English", async () => {
    const page = await open("/origins/new", GERMAN);
    await refuse(page, "**/trustedOrigins", "name: must be a colour", "The moon is full.");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("Portal");
    await dialog.getByRole("textbox", { name: "Ursprung" }).fill("https://portal.example");
    await save(page);
    await dialog.locator("[lang=en]", { hasText: "must be a colour" }).waitFor();
    await dialog.getByRole("alert").locator("[lang=en]", { hasText: "The moon is full." }).waitFor();
    await dialog.getByText("Die Angaben wurden abgelehnt: name").waitFor();
  });

  it("loads its words only when there is something to say, and stays English without them", async () => {
    const page = await open("/zones/new", GERMAN);
    const asked: string[] = [];
    await page.route("**/assets/{server,translated}-*.js", (route) => {
      asked.push(route.request().url());
      return route.request().url().includes("/server-") ? route.abort() : route.continue();
    });
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("ALL_ZONES");
    expect(asked).toEqual([]);
    await save(page);
    await dialog.locator("[lang=en]", { hasText: "can't be ALL_ZONES" }).waitFor();
    expect(asked.length).toBeGreaterThan(1);
  });
});
