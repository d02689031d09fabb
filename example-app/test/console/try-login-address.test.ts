import type { Page } from "playwright-core";
import { describeConsole, findViolations } from "../support/console-browser.js";
import { oidcIdp, rule } from "../support/documents.js";

const DOCUMENT = {
  orgs: [{ subdomain: "demo", name: "Demo", idps: [oidcIdp("Corporate")], rules: [rule("one", "Corporate")] }],
};

const login = (page: Page) => page.getByRole("textbox", { name: "Login" });
const answered = (page: Page, name: string) => page.getByText(`${name} signs in`).waitFor();
const triedIn = (page: Page) => page.getByRole("group", { name: "Tried last" }).getByRole("button").allTextContents();
const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

describeConsole("The address of Try a login", DOCUMENT, ({ open }) => {
  it("says what is asked, and asks the same when somebody opens it", async () => {
    const page = await open("/rules");
    await page.getByRole("link", { name: "Try a login" }).click();
    await login(page).pressSequentially("joe@one.example");
    await page.getByRole("textbox", { name: "From the address" }).fill("192.0.2.7");
    await page.getByRole("combobox", { name: "With the device" }).fill("iPhone");
    await page.getByRole("textbox", { name: "With the rules of" }).fill("2999-01-31T09:00:00");
    await page.waitForURL((url) => url.searchParams.has("device") && url.searchParams.has("at"));
    const at = searchOf(page)["at"];
    expect(searchOf(page)).toEqual({ login: "joe@one.example", ip: "192.0.2.7", device: "iPhone", at });
    await page.getByRole("textbox", { name: "With the rules of" }).fill("");
    await page.waitForURL((url) => !url.searchParams.has("at"));
    await answered(page, "joe@one.example");

    const other = await open(new URL(page.url()).search.replace(/^/, "/"));
    await answered(other, "joe@one.example");
    expect(await login(other).inputValue()).toBe("joe@one.example");
    expect(await other.getByRole("combobox", { name: "With the device" }).inputValue()).toBe("iPhone");
    await other
      .getByText(/it is a phone or tablet with iOS|with iOS/)
      .first()
      .waitFor();

    await page.goBack(); // however much was typed
    await page.getByRole("heading", { name: "Routing rules" }).waitFor();
  });

  it("is copied by a button", async () => {
    const page = await open("/?login=joe@one.example");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await answered(page, "joe@one.example");
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByRole("button", { name: "Copied" }).first().waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(page.url());
    expect(page.url()).toContain("joe");
    expect(await findViolations(page)).toEqual([]);
  });
});

describeConsole("What Try a login remembers", DOCUMENT, ({ open }) => {
  it("is what was answered and followed by Enter, another field or another page, at once", async () => {
    const page = await open();
    await login(page).fill("enter@one.example");
    await answered(page, "enter@one.example");
    await login(page).press("Enter");
    expect(await triedIn(page)).toEqual(["enter@one.example"]);
    await login(page).fill("leave@one.example");
    await answered(page, "leave@one.example");
    await page.getByRole("textbox", { name: "From the address" }).focus();
    expect(await triedIn(page)).toEqual(["leave@one.example", "enter@one.example"]);
    await login(page).fill("page@one.example");
    await answered(page, "page@one.example");
    await page.getByTestId("rule").getByRole("link", { name: "one" }).click();
    await page.getByRole("dialog").waitFor();
    await page.goBack();
    expect(await triedIn(page)).toEqual(["page@one.example", "leave@one.example", "enter@one.example"]);
  });

  it("has what was asked for by Enter before it was answered, and nothing that one typed on the way", async () => {
    const page = await open();
    await login(page).pressSequentially("wanted@one.example");
    await login(page).press("Enter");
    await page.getByRole("group", { name: "Tried last" }).waitFor();
    expect(await triedIn(page)).toEqual(["wanted@one.example"]);
  });
});
