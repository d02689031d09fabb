import type { Locator, Page } from "playwright-core";
import { until } from "../../../test/support/until.js";
import { describeConsole, findViolations } from "../support/console-browser.js";
import { rule, samlIdp, zone } from "../support/documents.js";

const DOCUMENT = {
  orgs: [
    {
      subdomain: "demo",
      name: "Demo",
      idps: [samlIdp("Contoso")],
      zones: [zone("Office")],
      rules: [rule("Employees", "Contoso")],
    },
  ],
};

const IS_NARROW = "document.documentElement.scrollWidth <= window.innerWidth";

const button = (page: Page, name: string) => page.getByRole("button", { name: `What is “${name}”?`, exact: true });
const text = (page: Page, name: string) => page.getByRole("dialog", { name: `What is “${name}”?`, exact: true });

const hasFocus = (element: Locator) =>
  until(() => element.evaluate((node) => node === node.ownerDocument.activeElement));

describeConsole("Help beside a term", DOCUMENT, ({ open }) => {
  it.each([
    { viewport: { width: 1280, height: 800 } },
    { viewport: { width: 320, height: 568 }, forcedColors: "active" as const },
  ])("opens by keyboard in a form, and Escape closes it alone, with $viewport.width pixels", async (options) => {
    const page = await open("/zones/new", options);
    await page.getByRole("textbox", { name: "Gateways", exact: true }).waitFor();
    for (const key of ["Enter", "Space"]) {
      await button(page, "Gateways").press(key);
      await text(page, "Gateways").getByText("192.0.2.1-192.0.2.9").waitFor();
      await hasFocus(text(page, "Gateways"));
      expect(await findViolations(page)).toEqual([]);
      expect(await page.evaluate(IS_NARROW)).toBe(true);
      const box = (await text(page, "Gateways").boundingBox())!;
      expect([box.x >= 0, box.x + box.width <= options.viewport.width, box.y >= 0]).toEqual([true, true, true]);
      await page.keyboard.press("Escape");
      await text(page, "Gateways").waitFor({ state: "detached" });
      await hasFocus(button(page, "Gateways"));
      await button(page, "Gateways").and(page.locator("[data-mantine-stop-propagation=false]")).waitFor();
    }
    await page.getByRole("dialog", { name: "Add a zone" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  it("leads on to the documentation of the API, and closes when the focus goes on", async () => {
    const page = await open("/rules");
    await page.getByRole("heading", { name: "Routing rules", exact: true }).waitFor();
    await button(page, "Routing rules").press("Enter");
    await text(page, "Routing rules").getByText("They are tried by priority").waitFor();
    await hasFocus(text(page, "Routing rules"));
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press("Tab");
    const link = text(page, "Routing rules").getByRole("link", { name: "Documentation of the API" });
    await hasFocus(link);
    const docs = page.waitForEvent("popup");
    await page.keyboard.press("Enter");
    await (await docs).locator("#operations-policies-listRules.is-open").waitFor();
    await (await docs).close();
    await link.focus();
    await page.keyboard.press("Tab");
    await text(page, "Routing rules").waitFor({ state: "detached" });
  });

  it("closes by a press of its button, and beside it", async () => {
    const page = await open("/");
    await button(page, "Login").click();
    await text(page, "Login").waitFor();
    await button(page, "Login").click();
    await text(page, "Login").waitFor({ state: "detached" });
    await button(page, "Login").click();
    await text(page, "Login").waitFor();
    await page.getByRole("heading", { level: 1 }).click();
    await text(page, "Login").waitFor({ state: "detached" });
  });

  it("is there for who may only read, and in the language of the page", async () => {
    const page = await open("/zones", { locale: "de-DE" });
    await page.route("**/console/session", async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      body.token.scopes = body.token.scopes.map((scope: string) => scope.replace("manage", "read"));
      await route.fulfill({ response, json: body });
    });
    await page.reload();
    await page.getByRole("link", { name: "Office", exact: true }).click();
    const field = page.getByRole("textbox", { name: "Gateways", exact: true });
    await field.waitFor();
    expect(await field.isDisabled()).toBe(true);
    expect(await page.getByRole("switch", { name: "Die Zone ist eingeschaltet" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Was bedeutet „Gateways“?" }).click();
    await page.getByRole("dialog").getByText("mit denen Personen der Zone ins Internet gehen").waitFor();
  });
});
