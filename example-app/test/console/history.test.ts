import type { Page } from "playwright-core";
import { describeConsole, findViolations, send } from "../support/console-browser.js";
import { oidcIdp, rule } from "../support/documents.js";

const DOCUMENT = {
  orgs: [
    {
      subdomain: "demo",
      name: "Demo",
      idps: [oidcIdp("Corporate"), oidcIdp("Partners")],
      rules: ["one", "two"].map((name) => rule(name, "Corporate")),
    },
  ],
};

async function findRules(page: Page) {
  const [{ id }] = await send(page, "GET", "/policies?type=IDP_DISCOVERY");
  const path = `/policies/${id}/rules`;
  return { path, rules: (await send(page, "GET", path)) as { id: string; name: string; actions: object }[] };
}

describeConsole("History", DOCUMENT, ({ client, open }) => {
  const revisions = (page: Page) => page.getByRole("list", { name: "Changes, the newest first" }).getByRole("listitem");

  it("tells who changed what, and undoes it", async () => {
    const page = await open("/history");
    await send(page, "POST", "/zones", { name: "Office", gateways: [{ type: "CIDR", value: "192.0.2.0/24" }] });
    await page.reload();
    const row = revisions(page).first();
    await row.getByText("Added the zone Office").waitFor();
    expect(await page.getByRole("button", { name: "Show revision 1", exact: true }).count()).toBe(1);
    expect(await page.getByRole("button", { name: "Undo: revision 1", exact: true }).count()).toBe(0);
    await row.getByText(/^Revision \d+ by Console \w+ from 127\.0\.0\.1, in the console$/).waitFor();
    await row.getByRole("button", { name: /^Show revision/ }).click();
    await row.getByText("192.0.2.0/24").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await row.getByRole("button", { name: /^Undo: / }).click();
    const dialog = page.getByRole("dialog", { name: "Undo this change?" });
    await dialog.getByText("Deletes the zone Office").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Undo" }).click();
    await dialog.waitFor({ state: "detached" });
    await revisions(page).first().getByText("Deleted the zone Office").waitFor();
    await revisions(page)
      .first()
      .getByText(/bringing back revision/)
      .waitFor();
    expect(await send(page, "GET", "/zones")).toEqual([]);
  });

  it("undoes nothing when somebody else was faster", async () => {
    const page = await open("/history");
    await send(page, "POST", "/zones", { name: "Branch" });
    await page.reload();
    const row = revisions(page).filter({ hasText: "Added the zone Branch" });
    await row.getByRole("button", { name: /^Undo: / }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Deletes the zone Branch").waitFor();
    await send(page, "POST", "/zones", { name: "Another" });
    await dialog.getByRole("button", { name: "Undo" }).click();
    await dialog.getByText("Nothing was brought back").waitFor();
    expect((await send(page, "GET", "/zones")).map(({ name }: { name: string }) => name)).toEqual([
      "Another",
      "Branch",
    ]);
  });

  it("brings back everything as it was, and says when nothing would change", async () => {
    const page = await open("/history");
    const before = await findRules(page);
    const [{ revision }] = await send(page, "GET", `${before.path.replace("/rules", "/revisions")}?limit=1`);
    for (const { id } of before.rules.slice(0, 2)) await send(page, "DELETE", `${before.path}/${id}`);
    await page.reload();
    await page.getByText("Deleted the rule two").waitFor();
    await page.getByRole("button", { name: `Show revision ${revision}`, exact: true }).click();
    const back = page.getByRole("button", { name: `Bring everything back to here: revision ${revision}`, exact: true });
    await back.click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Adds the rule one").waitFor();
    await dialog.getByText("Adds the rule two").waitFor();
    await dialog.getByRole("button", { name: "Bring everything back to here" }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await findRules(page)).rules.map(({ id }) => id)).toEqual(before.rules.map(({ id }) => id));
    await back.click();
    await dialog.getByText("Everything is as it was already.").waitFor();
    expect(await dialog.getByRole("button", { name: "Bring everything back to here" }).count()).toBe(0);
  });

  it("is in the form of a record, with each version and a way back", async () => {
    const page = await open("/rules");
    const { path, rules } = await findRules(page);
    const { id, ...values } = rules.find(({ name }) => name === "one")!;
    const [, partners] = await send(page, "GET", "/idps?sortBy=name");
    const providers = [{ type: "OIDC", id: partners.id }];
    await send(page, "PUT", `${path}/${id}`, { ...values, actions: { idp: { providers } } });
    await page.reload();
    await page.getByText("If the login is at one.example or below → Partners").waitFor();
    await page.getByRole("button", { name: "Edit the rule one" }).click();
    await page.getByRole("button", { name: "Show its history" }).click();
    const history = page.getByRole("group", { name: "History" });
    await history.getByText("Partners").waitFor();
    expect(await history.locator("dt").allTextContents()).toContain("Who signs them in");
    await page.mouse.move(10, 10); // away from a date, which would tell its tooltip
    await page.getByRole("tooltip").waitFor({ state: "detached" });
    expect(await findViolations(page)).toEqual([]);
    await history
      .getByRole("button", { name: /^Bring this back: / })
      .first()
      .click();
    const dialog = page.getByRole("dialog", { name: "Bring back the rule as it was then?" });
    await dialog.getByText("Changes the rule one").waitFor();
    await dialog.getByRole("button", { name: "Bring this back" }).click();
    await page.getByText("If the login is at one.example or below → Corporate").waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  it("leads from an event of the log to the rules that decided then", async () => {
    const page = await open("/rules");
    const url = `${client().origin}/.well-known/webfinger?resource=svc%3Aacct%3Ajoe%40two.example`;
    await page.evaluate((address) => fetch(address), url);
    const { path, rules } = await findRules(page);
    await send(page, "DELETE", `${path}/${rules.find(({ name }) => name === "two")!.id}`);
    await page.goto(`${client().origin}/console/log`);
    await page.getByRole("combobox", { name: "Show" }).click();
    await page.getByRole("option", { name: "Everything" }).click();
    await page
      .getByRole("link", { name: /^Why: the event WebFinger query/ })
      .first()
      .click();
    await page.getByText(/^Rules, zones and providers are those of revision \d+, of /).waitFor();
    expect(await page.getByTestId("rule").textContent()).toBe("two");
    expect(await page.getByRole("textbox", { name: "Login" }).inputValue()).toBe("joe@two.example");
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Use the rules of now" }).click();
    await page.getByTestId("rule").getByText("Default Rule").waitFor();
    await page.getByRole("textbox", { name: "With the rules of" }).fill("2001-01-01T00:00:00");
    await page.getByText("is before the history begins; the list of revisions tells what it has").waitFor();
  });
});
