import { until } from "../../../test/support/until.js";
import { describeConsole, findViolations, send } from "../support/console-browser.js";

const DOCUMENT = { orgs: [{ subdomain: "demo", name: "Demo" }] };

describeConsole("System Log", DOCUMENT, ({ client, open }) => {
  it("shows a new event by itself, and leads from a request to its events and back", async () => {
    const page = await open("/log");
    await page.getByText("made a link to the console").first().waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.evaluate(
      `fetch("/api/v1/zones", { method: "POST", headers: { "Content-Type": "application/json" }, body: '{ "name": "Office" }' })`,
    );
    const row = page.getByRole("listitem").filter({ hasText: /^.*added the zone Office/ });
    const show = row.getByRole("button", { name: /^Show the event Create Zone/ });
    // the list is live: a press is lost when a row comes between
    await until(async () => {
      if ((await row.getByText("Every event of this request").count()) > 0) return true;
      await show.click();
      return false;
    });
    await row.getByText("Added the zone Office", { exact: true }).waitFor();
    await row.getByRole("button", { name: "Every event of this request" }).click();
    await page.getByRole("button", { name: /^Remove the filter: of the request / }).waitFor();
    await page.getByText("1 event").waitFor();
    await page.goBack();
    await page.getByText("made a link to the console").first().waitFor();
  });

  it("filters, and says where an expression is wrong", async () => {
    const page = await open("/log");
    const filter = page.getByRole("textbox", { name: "Filter" });
    const ask = async (text: string) => {
      await filter.fill(text);
      await filter.press("Enter");
    };
    await ask('eventType sw "system.console_link"');
    await page.getByText("created the token").first().waitFor({ state: "detached" });
    await page.getByText("made a link to the console").first().waitFor();
    await ask(" eventType oops 1");
    await page.getByTestId("mistake").getByText("oops", { exact: true }).waitFor();
    await page.getByText(/^Found "oops" at offset 10, expected/).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await ask("eventType eq");
    await page.getByText(/^Found the end at offset 12, expected/).waitFor();
    await ask('outcome.reason eq "none"');
    await page.getByText("No events").waitFor();
    expect(await findViolations(page)).toEqual([]);
    expect(client().server.lines.some(({ level }) => level === "error")).toBe(false);
    const halfTyped = 'outcome.reason sw "E0000031"';
    const find = (filter: string) => send(page, "GET", `/logs?filter=${encodeURIComponent(filter)}`);
    await until(async () => (await find(halfTyped)).length > 0);
    expect(await find(`${halfTyped} and severity eq "WARN"`)).toEqual([]);
  });

  it("reads the newest events with one request, and moves no row while one is about to press it", async () => {
    const page = await open("/log");
    await page.getByText("made a link to the console").first().waitFor();
    const paths: string[] = [];
    page.on("request", (request) => paths.push(new URL(request.url()).search));
    await page.reload();
    const rows = page.getByRole("listitem");
    await rows.first().waitFor();
    expect(paths.filter((search) => search.includes("sortOrder=DESCENDING"))).toHaveLength(1);
    const dates = await rows
      .locator("time")
      .evaluateAll((times) => times.map((time) => time.getAttribute("datetime")!));
    expect(dates).toEqual(dates.toSorted().toReversed());

    await rows.first().hover();
    const [before] = await rows.allTextContents();
    await send(page, "POST", "/zones", { name: "Branch" });
    await page.getByRole("button", { name: /^\d+ new events?$/ }).waitFor();
    expect((await rows.allTextContents())[0]).toBe(before);
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: /^\d+ new events?$/ }).click();
    await rows.filter({ hasText: "Branch" }).first().waitFor();
  });
});
