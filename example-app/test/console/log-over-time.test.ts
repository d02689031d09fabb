import { readFileSync } from "node:fs";
import { describeConsole, findViolations, send } from "../support/console-browser.js";

const DOCUMENT = { orgs: [{ subdomain: "demo", name: "Demo" }] };

describeConsole("The System Log over time", DOCUMENT, ({ open }) => {
  it("counts what is shown, and leads from a part of the time to its events", async () => {
    const page = await open("/log");
    const section = page.getByRole("region", { name: "Events over time" });
    await section.getByText("Events over time").waitFor();
    await section.getByRole("button", { name: "Show as a table" }).click();
    const rows = section.getByRole("table").getByRole("row");
    const [, row] = await rows.all();
    expect(await row!.getByRole("cell").allTextContents()).toEqual(["0", expect.stringMatching(/^[1-9]/), "0", "0"]);
    expect(await findViolations(page)).toEqual([]);
    await row!.getByRole("button").click();
    await page.waitForURL(/until=/);
    await page.getByText("made a link to the console").first().waitFor();
    const { searchParams } = new URL(page.url());
    const length = Date.parse(searchParams.get("until")!) - Date.parse(searchParams.get("since")!);
    expect(length).toBe(3_600_000);
    await section.locator(".log-bar[title*=INFO]").first().click();
    const isOther = (name: string, url: URL) => url.searchParams.get(name) !== searchParams.get(name);
    await page.waitForURL((url) => isOther("since", url) || isOther("until", url)); // the last part ends with the hour
  });

  it("saves what is shown as CSV", async () => {
    const page = await open("/log");
    await send(page, "POST", "/zones", { name: '=HYPERLINK("https://example.com")' });
    await page.goto(`${new URL(page.url()).origin}/console/log?filter=eventType+eq+%22zone.create%22&since=1h`);
    await page.getByText("1 event").waitFor();
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download as CSV" }).click();
    const file = await downloading;
    expect(file.suggestedFilename()).toMatch(/^log-demo-\d{4}-\d\d-\d\d\.csv$/);
    const [names, row, end] = readFileSync(await file.path(), "utf8").split("\r\n");
    expect(names).toMatch(/^\ufefftime,severity,type,sentence,/);
    expect(row).toContain(`,"'=HYPERLINK(""https://example.com"")",127.0.0.1,SUCCESS,`);
    expect(end).toBe("");
    await page.getByText("The file has 1 event.").waitFor();
    await page.locator("button:focus").getByText("Download as CSV").waitFor();
    expect(await findViolations(page)).toEqual([]);
  });
});
