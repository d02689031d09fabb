import type { Page } from "playwright-core";
import { describeConsole, findViolations, send } from "../support/console-browser.js";
import { oidcIdp, rule } from "../support/documents.js";

const DOCUMENT = {
  orgs: [
    {
      subdomain: "demo",
      name: "Demo",
      idps: [oidcIdp("Contoso")],
      rules: [rule("Partners", "Contoso")],
    },
  ],
};

const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

describeConsole("Finding events of the System Log", DOCUMENT, ({ open }) => {
  const rows = (page: Page) => page.getByRole("listitem");
  const chip = (page: Page, label: string) => page.getByRole("button", { name: `Remove the filter: ${label}` });

  it("has what it shows in its address, also when one opens the address", async () => {
    const page = await open("/log");
    await chip(page, "Changes and failures").waitFor();
    expect(searchOf(page)).toEqual({ filter: 'severity ne "DEBUG"', since: "24h" });
    await page.getByRole("button", { name: "Only events of the type policy.rule.add" }).click();
    await chip(page, "Rule added").waitFor();
    await page.getByRole("button", { name: "Only events about Partners" }).click();
    await chip(page, "about Partners").waitFor();
    const find = page.getByRole("searchbox", { name: "Find" });
    await find.fill("partn");
    expect(searchOf(page)).not.toHaveProperty("q");
    await find.press("Enter");
    await chip(page, "“partn”").waitFor();
    await page.reload();
    for (const label of ["Changes and failures", "Rule added", "about Partners", "“partn”"]) {
      await chip(page, label).waitFor();
    }
    await page.getByText("1 event").waitFor();
    await rows(page).getByText("The command import added the rule Partners").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await chip(page, "about Partners").click();
    await page.getByRole("button", { name: "Remove all" }).click();
    await chip(page, "Rule added").waitFor({ state: "detached" });
    expect(searchOf(page)).toEqual({ since: "24h" });
  });

  it("finds events by their type and time", async () => {
    const page = await open("/log");
    await page.getByRole("combobox", { name: "Event" }).fill("identity provider add");
    await page.getByRole("option", { name: "Identity provider added" }).click();
    await rows(page).getByText("The command import added the identity provider Contoso").waitFor();
    await page.getByRole("combobox", { name: "Time" }).click();
    await page.getByRole("option", { name: "From … to …" }).click();
    await page.getByLabel("From").fill("2020-01-01T00:00:00");
    await page.getByLabel("To (empty for now)").fill("2020-01-02T00:00:00");
    expect(searchOf(page)["since"]).toBe("24h");
    await page.getByRole("button", { name: "Show this time" }).click();
    await page.getByText("No events").waitFor();
    expect(searchOf(page)).toMatchObject({
      since: expect.stringMatching(/^20(?:19|20)-.*Z$/),
      until: expect.any(String),
    });
    expect(await page.getByRole("switch", { name: "Live" }).isDisabled()).toBe(true);
    await page.reload();
    expect(await page.getByLabel("From").inputValue()).toBe("2020-01-01T00:00");
    expect(await findViolations(page)).toEqual([]);
  });

  it("leads from an event to the records that it names, and from a record to its events", async () => {
    const page = await open("/log");
    const row = rows(page).filter({ hasText: "added the rule Partners" });
    await row.getByRole("link", { name: "Partners" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("link", { name: "In the System Log" }).click();
    await chip(page, "about Partners").waitFor();
    await row.waitFor();
    const [{ id }] = await send(page, "GET", "/idps");
    expect(
      await page.goto(`${new URL(page.url()).origin}/console/log?filter=target.id%20eq%20%22${id}%22`),
    ).toBeTruthy();
    await chip(page, "about Contoso").waitFor();
  });

  it("tells who goes where, what was changed, and what failed", async () => {
    const page = await open("/log?since=1h");
    const { accountPrefix } = await page.evaluate<{ accountPrefix: string }>(
      `fetch("/console/session").then((response) => response.json())`,
    );
    await page.evaluate(
      (resource) =>
        fetch(`/.well-known/webfinger?resource=${encodeURIComponent(resource)}`).then(({ status }) => status),
      `${accountPrefix}joe@partners.example`,
    );
    const decided = rows(page).filter({ hasText: "joe@partners.example goes to Contoso (rule Partners)" });
    await decided.getByRole("link", { name: "Why" }).waitFor();
    const { id } = await send(page, "POST", "/zones", { name: "Office" });
    await send(page, "PUT", `/zones/${id}`, { name: "Head office" });
    const changed = rows(page).filter({ hasText: "changed the zone Head office" });
    await changed.getByText("name → became Head office").waitFor();
    await send(page, "DELETE", "/zones/none");
    await rows(page).getByText("sent DELETE /api/v1/zones/none, which failed: Not found").first().waitFor();
    expect(await rows(page).filter({ hasText: "DELETE" }).first().locator("time").getAttribute("title")).toMatch(
      /Z \(UTC\)$/,
    );
    expect(await findViolations(page)).toEqual([]);
  });

  it("searches on when a page has no event, a while by itself", async () => {
    const page = await open();
    let empty = 0;
    await page.route("**/api/v1/logs?**sortOrder=DESCENDING**", async (route) => {
      const url = route.request().url();
      const next = url.endsWith("&q=") ? url : `${url}&q=`;
      if (empty++ < 12) await route.fulfill({ json: [], headers: { Link: `<${next}>; rel="next"` } });
      else await route.continue();
    });
    const until = new Date(Date.now() + 60_000).toISOString(); // so that it does not follow what comes
    await page.goto(`${new URL(page.url()).origin}/console/log?since=1h&until=${until}`);
    await page.getByText("Nothing found so far").waitFor();
    expect(empty).toBe(11);
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Search on" }).click();
    await rows(page).getByText("made a link to the console").first().waitFor();
  });
});
