import { describeConsole, findViolations } from "../support/console-browser.js";

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
    await page.getByText("1 events").waitFor();
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
  });
});
