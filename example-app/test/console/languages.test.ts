import type { Page } from "playwright-core";
import { describeConsole, findViolations } from "../support/console-browser.js";
import { samlIdp, user, zone } from "../support/documents.js";

const DEMO = {
  subdomain: "demo",
  name: "Demo",
  idps: [samlIdp("Contoso")],
  zones: [zone("Office")],
  users: Array.from({ length: 10 }, (_, index) => user(`joe-${index}@example.com`)),
};

const GERMAN = { locale: "de-DE" };

const languageOf = (page: Page) => page.evaluate<string>("document.documentElement.lang");
const pageOf = (page: Page, name: string) => page.getByRole("navigation").getByRole("link", { name, exact: true });

/** Chooses in the menu of the header; the page is loaded again. */
async function chooseLanguage(page: Page, menu: string, label: string, language: string): Promise<void> {
  await page.getByRole("button", { name: menu }).click();
  const loaded = page.waitForEvent("load");
  await page.getByRole("combobox", { name: label }).selectOption(language);
  await loaded;
}

describeConsole("The languages of the console", { orgs: [DEMO] }, ({ client, open, visit }) => {
  it("speaks the browser's language, and writes numbers as it does", async () => {
    const page = await open("/transfer", GERMAN);
    await page.getByRole("heading", { name: "Import und Export", level: 1 }).waitFor();
    expect(await languageOf(page)).toBe("de-DE");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Exportieren" }).click();
    await (await download).path();
    await page.getByText(/\.json hat \d\.\d{3} Byte\.$/).waitFor();
    expect(await page.title()).toBe("Import und Export · Demo");
    expect(await findViolations(page)).toEqual([]);
  });

  it("speaks the language that one chooses, also after a reload, and then that of the browser again", async () => {
    const page = await open("", GERMAN);
    await chooseLanguage(page, "Einstellungen und Hilfe", "Sprache", "日本語");
    await pageOf(page, "履歴").waitFor();
    expect(await languageOf(page)).toBe("ja");
    await page.reload();
    await pageOf(page, "履歴").waitFor();
    expect(await languageOf(page)).toBe("ja");
    await page.getByRole("button", { name: "設定とヘルプ" }).click();
    expect(await page.getByRole("combobox", { name: "言語" }).inputValue()).toBe("ja");
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await chooseLanguage(page, "設定とヘルプ", "言語", "ブラウザーに合わせる");
    await pageOf(page, "Verlauf").waitFor();
    expect(await languageOf(page)).toBe("de-DE");
    expect(await page.evaluate("localStorage.getItem('etiquette.language')")).toBeNull();
  });

  it("keeps what one wrote into a form when one chooses another language", async () => {
    const page = await open("/zones/new", GERMAN);
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Lager");
    await page.goto(`${client().origin}/console/transfer`);
    await chooseLanguage(page, "Einstellungen und Hilfe", "Sprache", "日本語");
    await pageOf(page, "ゾーン").waitFor();
    await page.goto(`${client().origin}/console/zones/new`);
    await page.getByText("以前の入力内容を復元しました。").waitFor();
    expect(await page.getByRole("textbox", { name: "名前", exact: true }).inputValue()).toBe("Lager");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "入力内容を破棄しますか？" }).waitFor();
    await page.getByRole("button", { name: "入力を続ける" }).click();
    await page.getByRole("button", { name: "最初からやり直す" }).click();
    expect(await page.getByRole("textbox", { name: "名前", exact: true }).inputValue()).toBe("");
  });

  it("asks in the browser's language to sign in", async () => {
    const page = await visit(`${client().origin}/console`, GERMAN);
    await page.getByRole("heading", { name: "In der Konsole anmelden" }).waitFor();
    expect(await page.title()).toBe("Anmelden · Konsole");
    expect(await languageOf(page)).toBe("de-DE");
    expect(await findViolations(page)).toEqual([]);
    await page.getByLabel("Oder ein API-Token dieser Organisation einfügen").fill(await client().newToken());
    await page.getByRole("button", { name: "Anmelden" }).click();
    await pageOf(page, "Verlauf").waitFor();
  });

  it("speaks English when the texts of the language can't be loaded", async () => {
    const page = await visit("about:blank", GERMAN);
    let asked = 0;
    await page.context().route("**/assets/de-*.js", (route) => {
      asked++;
      return route.abort();
    });
    await page.goto(await client().newLink());
    await page.getByRole("heading", { name: "Try a login" }).waitFor();
    expect(asked).toBe(1);
    expect(await languageOf(page)).toBe("en");
    await pageOf(page, "Zones").click();
    await page.getByRole("link", { name: "Office", exact: true }).waitFor();
    await page.context().unrouteAll();
  });
});
