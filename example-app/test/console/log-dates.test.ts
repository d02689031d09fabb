import { describeConsole } from "../support/console-browser.js";
import { oidcIdp } from "../support/documents.js";

const DOCUMENT = { orgs: [{ subdomain: "demo", name: "Demo", idps: [oidcIdp("Corporate")] }] };

describeConsole("The log by keyboard", DOCUMENT, ({ open }) => {
  it("has the focus somewhere when the last filter was removed", async () => {
    const page = await open("/log");
    const filters = page.getByRole("group", { name: "Filters that are on" });
    await filters.getByRole("button").first().press("Enter");
    await filters.waitFor({ state: "detached" });
    await page.locator("h1:focus").waitFor();
  });
});

describeConsole("Dates of the console", DOCUMENT, ({ client, open }) => {
  it("name another day after midnight, in a page that is open since yesterday", async () => {
    const page = await open();
    await page.clock.install();
    await page.goto(`${client().origin}/console/history`);
    await page
      .locator("time")
      .getByText(/^today, /)
      .first()
      .waitFor();
    await page.clock.fastForward("24:00:00");
    await page
      .locator("time")
      .getByText(/^yesterday, /)
      .first()
      .waitFor();
    expect(
      await page
        .locator("time")
        .getByText(/^today, /)
        .count(),
    ).toBe(0);
  });

  it("keep the focus when the log shows another time", async () => {
    const page = await open("/log");
    await page.getByRole("combobox", { name: "Time" }).click();
    await page.getByRole("option", { name: "From … to …" }).click();
    const from = page.getByLabel("From", { exact: true });
    await from.fill("2026-01-31T09:00:00");
    await from.press("Enter");
    await page.waitForURL((url) => url.searchParams.get("since")?.startsWith("2026-01-31T") === true);
    expect(await page.evaluate("document.activeElement.type")).toBe("datetime-local");
    await expect(from.inputValue()).resolves.toMatch(/^2026-01-31T09:00/); // a browser may leave :00 out
  });

  it("stay as they are while one types a year, wherever one is", async () => {
    const page = await open("", { timezoneId: "Europe/Berlin", locale: "en-US" });
    await page.getByRole("textbox", { name: "Login" }).fill("joe@example.com");
    const field = page.getByLabel("With the rules of", { exact: true });
    await field.fill("2025-01-31T09:00:00");
    await field.focus();
    for (const key of ["ArrowRight", "ArrowRight"]) await page.keyboard.press(key); // the month, the day, the year
    await page.keyboard.type("2026");
    await expect(field.inputValue()).resolves.toMatch(/^2026-01-31T09:00/);
  });
});
