import { until } from "../../../test/support/until.js";
import { describeConsole, findViolations, send } from "../support/console-browser.js";

const DOCUMENT = { orgs: [{ subdomain: "demo", name: "Demo" }] };

describeConsole("System Log", DOCUMENT, ({ client, open }) => {
  it("shows a new event by itself, and leads from a request to its events and back", async () => {
    const page = await open("/log");
    await page.getByText("Create link to the console").first().waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.evaluate(
      `fetch("/api/v1/zones", { method: "POST", headers: { "Content-Type": "application/json" }, body: '{ "name": "Office" }' })`,
    );
    const row = page.getByRole("listitem").filter({ hasText: "Create Zone" });
    await row.getByText("Office").waitFor();
    await row.getByRole("button", { name: /^Show the event Create Zone/ }).click();
    await row.getByRole("button", { name: "Every event of this request" }).click();
    await page.getByText("Every event of the request").waitFor();
    await page.getByText("1 event").waitFor();
    await page.getByRole("button", { name: "Back to all events" }).click();
    await page.getByText("Create link to the console").first().waitFor();
  });

  it("filters, and says where an expression is wrong", async () => {
    const page = await open("/log");
    await page.getByRole("textbox", { name: "Filter" }).fill('eventType eq "system.console_link.create"');
    await page.getByText("Create API token").first().waitFor({ state: "detached" });
    await page.getByText("Create link to the console").first().waitFor();
    await page.getByRole("textbox", { name: "Filter" }).fill(" eventType oops 1");
    await page.getByTestId("mistake").getByText("oops", { exact: true }).waitFor();
    await page.getByText(/^Found "oops" at offset 10, expected/).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("textbox", { name: "Filter" }).fill("eventType eq");
    await page.getByText(/^Found the end at offset 12, expected/).waitFor();
    await page.getByRole("textbox", { name: "Filter" }).fill('eventType eq "none"');
    await page.getByText("No events").waitFor();
    expect(await findViolations(page)).toEqual([]);
    expect(client().server.lines.some(({ level }) => level === "error")).toBe(false);
    await until(
      async () =>
        (await send(page, "GET", `/logs?filter=${encodeURIComponent('outcome.reason sw "E0000031"')}`)).length > 0,
    );
    expect(await send(page, "GET", `/logs?filter=${encodeURIComponent('severity eq "WARN"')}`)).toEqual([]); // half-typed
  });

  it("reads the newest events with one request, and moves no row while one is about to press it", async () => {
    const page = await open("/log");
    await page.getByText("Create link to the console").first().waitFor();
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
