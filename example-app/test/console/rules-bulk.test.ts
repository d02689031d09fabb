import type { Page } from "playwright-core";
import { until } from "../../../test/support/until.js";
import { describeConsole, findViolations } from "../support/console-browser.js";
import { oidcIdp, rule } from "../support/documents.js";

const NAMES = ["one", "two", "three", "four", "five", "six"];
const DOCUMENT = {
  orgs: [
    {
      subdomain: "demo",
      name: "Demo",
      idps: [oidcIdp("Corporate")],
      rules: NAMES.map((name) => rule(name, "Corporate")),
    },
  ],
};

const rowsOf = (page: Page) =>
  page
    .getByRole("list", { name: "Rules in their order" })
    .getByRole("listitem")
    .evaluateAll((rows) =>
      rows.map(
        (row) =>
          `${/(one|two|three|four|five|six|Default)/.exec(row.textContent)?.[0]}${/Off/.test(row.textContent) ? " off" : ""}`,
      ),
    );
const untilRows = (page: Page, rows: readonly string[]) =>
  until(async () => (await rowsOf(page)).join() === rows.join());
const untilOff = (page: Page, count: number) =>
  until(async () => (await rowsOf(page)).filter((row) => row.endsWith("off")).length === count);
const inOrder = (...names: string[]) => [...names, "Default"];
const choose = async (page: Page, ...names: string[]) => {
  for (const name of names) await page.getByRole("checkbox", { name: `Select the rule ${name}` }).click();
};

describeConsole("Several rules", DOCUMENT, ({ open }) => {
  it("are switched off together after a question that tells what it changes, and one Undo brings them back", async () => {
    const page = await open("/rules");
    await choose(page, "one", "three");
    await page.getByText("2 selected").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Switch off" }).click();
    const dialog = page.getByRole("dialog", { name: "Switch off 2 rules?" });
    await dialog.getByText("one, three").waitFor();
    await dialog.getByText(/^joe@one\.example: Corporate.*Demo itself by Default Rule$/).waitFor();
    await dialog.getByText(/^2 of \d test logins go elsewhere\.$/).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Switch them off" }).click();
    await page.getByText("Switched off 2 rules.").waitFor();
    await untilRows(page, inOrder("one off", "two", "three off", "four", "five", "six"));
    await page.getByRole("button", { name: "Undo all" }).click();
    await page.getByText("The changes were taken back.").waitFor();
    await untilRows(page, inOrder(...NAMES));
  });

  it("move together to the top or to a place, in their order, and back", async () => {
    const page = await open("/rules");
    await choose(page, "two", "five", "six");
    await page.getByRole("button", { name: "Move to the top" }).click();
    await page.getByRole("dialog").getByText("test logins go where they go now").waitFor();
    await page.getByRole("button", { name: "Move them" }).click();
    await page.getByText("Moved 3 of 3 rules.").or(page.getByText("Moved 3 rules.")).waitFor();
    await untilRows(page, inOrder("two", "five", "six", "one", "three", "four"));
    await page.getByRole("button", { name: "Undo all" }).click();
    await page.getByText("The changes were taken back.").waitFor();
    await untilRows(page, inOrder(...NAMES));

    await choose(page, "one", "two", "six");
    await page.getByRole("textbox", { name: "Place to move to" }).fill("3");
    await page.getByRole("button", { name: "Move to place 3" }).click();
    await page.getByRole("button", { name: "Move them" }).click();
    await page.getByText("Moved 3 rules.").waitFor();
    await untilRows(page, inOrder("three", "four", "one", "two", "six", "five"));
  });

  it("tell which were done when one fails, and go on with the others", async () => {
    const page = await open("/rules");
    await page.getByRole("checkbox", { name: /^Select all shown/ }).click();
    let calls = 0;
    await page.route("**/lifecycle/deactivate**", (route) =>
      ++calls === 3 ? route.fulfill({ status: 503, json: {} }) : route.continue(),
    );
    await page.getByRole("button", { name: "Switch off" }).click();
    await page.getByRole("button", { name: "Switch them off" }).click();
    await page.getByText("Switched off 2 of 6 rules.").waitFor();
    await page.getByText(/^Stopped at the rule \w+$/).waitFor();
    await page.getByText("4 selected").waitFor();
    await untilOff(page, 2);
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Switch off" }).click();
    await page.getByRole("button", { name: "Switch them off" }).click();
    await page.getByText("Switched off 4 rules.").waitFor();
    await untilOff(page, 6);
  });

  it("stop by keyboard after the one that is changed: what is done stays, and one Undo brings it back", async () => {
    const page = await open("/rules");
    const all = page.getByRole("checkbox", { name: /^Select all shown/ });
    const focused = (name: string) => page.locator("button:focus").getByText(name, { exact: true });
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let calls = 0;
    await page.route("**/lifecycle/activate**", async (route) => {
      if (++calls === 3) await released;
      await route.continue();
    });
    await all.click();
    await page.getByRole("button", { name: "Switch on" }).click();
    await focused("Switch them on").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("6 selected, 2 of 6 done").waitFor();
    await focused("Stop").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page
      .getByRole("status")
      .getByText(/^Stopping after the rule \w+$/)
      .waitFor();
    release();
    await page.getByText("Switched on 3 of 6 rules.").waitFor();
    await page.getByText("3 selected").waitFor();
    await all.and(page.locator(":focus")).waitFor();
    expect(await page.getByRole("button", { name: "Stop" }).count()).toBe(0);
    expect(calls).toBe(3);
    await untilOff(page, 3);
    await page.getByRole("button", { name: "Undo all" }).click();
    await page.getByText("The changes were taken back.").waitFor();
    await untilOff(page, 6);
  });
});
