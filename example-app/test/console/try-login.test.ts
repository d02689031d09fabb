import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describeConsole, findViolations } from "../support/console-browser.js";

const HOSTILE = `<script>document.title="taken over"</script>`;
const RTL = "moc.elpmaxe@eoj שלום";
const LONG = "x".repeat(128);

/** Whether the page needs no scrolling to the side. */
const IS_NARROW = "document.documentElement.scrollWidth <= window.innerWidth";

const DIST = join(__dirname, "../../console/dist");

/** The size of the first page, compressed. */
const MAX_FIRST_LOAD = 150_000;

const idp = (name: string, status = "ACTIVE") => ({
  name,
  type: "OIDC",
  status,
  protocol: {
    type: "OIDC",
    endpoints: { sso: { url: "https://idp.example/authorize", binding: "HTTP-REDIRECT" } },
  },
});
const suffix = (value: string) => ({
  userIdentifier: { type: "IDENTIFIER", patterns: [{ matchType: "SUFFIX", value }] },
});
const to = (...names: string[]) => ({ idp: { providers: names.map((name) => ({ idp: name })) } });

const DOCUMENT = {
  orgs: [
    {
      subdomain: "demo",
      name: HOSTILE,
      zones: [{ name: "Office", gateways: [{ type: "CIDR", value: "192.0.2.0/24" }] }],
      idps: [idp("Corporate"), idp("Phones"), idp(HOSTILE), idp("Closed", "INACTIVE")],
      rules: [
        { name: "Closed", conditions: suffix("closed.example"), actions: to("Closed") },
        { name: RTL, conditions: suffix("other.example"), actions: to("Corporate") },
        {
          name: "Phones",
          conditions: {
            ...suffix("example.com"),
            network: { connection: "ZONE", exclude: ["Office"] },
            platform: { include: [{ type: "MOBILE", os: { type: "IOS" } }] },
          },
          actions: to("Phones"),
        },
        { name: LONG, conditions: suffix("example.com"), actions: to("Corporate") },
        { name: HOSTILE, conditions: suffix("hostile.example"), actions: to(HOSTILE) },
      ],
    },
  ],
};

describeConsole("Try a login", DOCUMENT, ({ client, open }) => {
  it("shows the provider, the rule that decides, and why those before it don't", async () => {
    const page = await open();
    await page.getByRole("textbox", { name: "Login" }).fill("joe@example.com");
    const verdict = page.getByRole("status").filter({ hasText: "signs in at" });
    await verdict.getByText("Corporate").waitFor();
    expect(await verdict.getByTestId("rule").textContent()).toBe(LONG);
    const rules = page.locator("[data-result]");
    expect(await rules.evaluateAll((all) => all.map((rule) => rule.getAttribute("data-result")))).toEqual([
      "MATCH",
      "SKIPPED",
      "NO_MATCH",
      "NO_MATCH",
    ]);
    await page.getByText("2 rules before it don't match").waitFor();
    await page.getByText("1 is skipped: 1 without an active provider.").waitFor();
    expect(await page.getByTestId("near-miss").allTextContents()).toEqual([
      expect.stringMatching(
        /^One condition short: PhonesThe device is a phone or tablet with iOS — no: it is a computer/,
      ),
    ]);
    expect(await rules.nth(1).textContent()).toContain("None of its providers is active.");
    expect(await rules.nth(2).textContent()).toContain(
      "The login is at other.example or below — no: it is joe@example.com",
    );
    const conditions = rules.nth(3).locator("[data-holds]");
    await expect(
      conditions.evaluateAll((all) => all.map((one) => [one.getAttribute("data-holds"), one.textContent])),
    ).resolves.toEqual([
      ["true", "The login is at example.com or below — yes: it is joe@example.com"],
      ["true", "The address is not in Office — yes: it is 127.0.0.1, which is in no zone"],
      ["false", expect.stringMatching(/^The device is a phone or tablet with iOS — no: it is a computer/)],
    ]);
    expect(await findViolations(page)).toEqual([]);
  });

  it("follows the address and the device that one imagines", async () => {
    const page = await open();
    await page.getByRole("textbox", { name: "Login" }).fill("joe@example.com");
    await page.getByRole("combobox", { name: "With the device" }).fill("iPhone");
    await page.getByTestId("provider").getByText("Phones").waitFor();
    await page.getByRole("textbox", { name: "From the address" }).fill("192.0.2");
    await page.getByText("must be an IPv4 or IPv6 address").waitFor();
    await page.getByRole("textbox", { name: "From the address" }).fill("192.0.2.7");
    await page.getByTestId("provider").getByText("Corporate").waitFor();
    await page.getByText("no: it is 192.0.2.7, which is in Office").first().waitFor();
  });

  it("asks while one types, and aborts what is not wanted any more", async () => {
    const page = await open();
    const asked: string[] = [];
    page.on("request", (request) => {
      const resource = new URL(request.url()).searchParams.get("resource");
      if (resource !== null) asked.push(resource);
    });
    await page.getByRole("textbox", { name: "Login" }).pressSequentially("ann@closed.example");
    await page.getByText("ann@closed.example signs in").waitFor();
    expect(asked.at(-1)).toBe("svc:acct:ann@closed.example");
    expect(asked.length).toBeLessThanOrEqual("ann@closed.example".length);
  });

  it("shows the WebFinger response, as the server sends it", async () => {
    const page = await open();
    await page.getByRole("textbox", { name: "Login" }).fill("joe@example.com");
    await page.getByText("joe@example.com signs in").waitFor();
    const shown = JSON.parse((await page.getByTestId("webfinger").textContent()) ?? "");
    const sent = await page.evaluate(async () =>
      (await fetch("/.well-known/webfinger?resource=svc:acct:joe%40example.com")).json(),
    );
    expect(shown).toEqual(sent);
    await page
      .getByText(`curl '${client().origin}/.well-known/webfinger?resource=svc:acct:joe%40example.com'`)
      .waitFor();
  });

  it("shows names as text, whatever they are", async () => {
    const page = await open();
    await page.getByRole("textbox", { name: "Login" }).fill(`${HOSTILE}@hostile.example`);
    await page.getByTestId("provider").getByText(HOSTILE).waitFor();
    expect(await page.getByTestId("rule").textContent()).toBe(HOSTILE);
    await page.getByRole("button", { name: "3 rules before it don't match" }).click();
    await page.getByText(RTL).first().waitFor();
    expect(await page.title()).not.toBe("taken over");
    expect(await page.evaluate(IS_NARROW)).toBe(true);
  });

  it("remembers what was tried, in this tab", async () => {
    const page = await open();
    await page.getByRole("textbox", { name: "Login" }).fill("joe@example.com");
    await page.getByRole("group", { name: "Tried last" }).getByRole("button", { name: "joe@example.com" }).waitFor();
    await page.reload();
    await page.getByText("joe@example.com signs in").waitFor();
    expect(await page.evaluate(`localStorage.getItem("etiquette.tried")`)).toBeNull();
  });

  it("says that the server can't be reached, and works again when it can", async () => {
    const page = await open();
    await page.getByRole("textbox", { name: "Login" }).fill("joe@example.com");
    await page.getByText("joe@example.com signs in").waitFor();
    await page.route("**/trace?**", (route) => route.abort());
    await page.getByRole("textbox", { name: "Login" }).fill("ann@example.com");
    await page.getByText(/^The server can't be reached: check the connection\./).waitFor();
    await page.unroute("**/trace?**");
    await page.getByRole("textbox", { name: "Login" }).fill("ann@closed.example");
    await page.getByText("ann@closed.example signs in").waitFor();
  });

  it.each([
    ["dark", { colorScheme: "dark" as const }],
    ["narrow", { viewport: { width: 360, height: 740 } }],
  ])("is accessible when %s", async (_kind, options) => {
    const page = await open("", options);
    await page.getByRole("textbox", { name: "Login" }).fill("joe@example.com");
    await page.getByText("joe@example.com signs in").waitFor();
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate(IS_NARROW)).toBe(true);
  });

  it("loads less than 150 KB at first", async () => {
    const page = await open();
    await page.getByRole("heading", { name: "Try a login" }).waitFor();
    const names = await page.evaluate<string[]>(
      `performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname)`,
    );
    const files = [...new Set(names)]
      .filter((name) => name.startsWith("/console/assets/"))
      .map((name) => name.slice("/console".length));
    expect(files.length).toBeGreaterThan(1);
    expect(files.some((name) => name.endsWith(".css"))).toBe(true);
    expect(await page.evaluate(`getComputedStyle(document.querySelector("nav")).position`)).toBe("sticky");
    const sizes = files.map((name) =>
      ["gz", ""].map((end) => join(DIST, end === "" ? name : `${name}.${end}`)).find(existsSync),
    );
    expect(sizes.reduce((sum, file) => sum + statSync(file!).size, 0)).toBeLessThan(MAX_FIRST_LOAD);
    expect(readdirSync(join(DIST, "assets")).some((name) => name.endsWith(".map"))).toBe(false);
  });
});

const MANY = {
  orgs: [
    {
      subdomain: "demo",
      name: "Demo",
      idps: [idp("Corporate")],
      rules: Array.from({ length: 250 }, (_, i) => ({
        name: `rule-${i + 1}`,
        conditions: suffix(`rule-${i + 1}.example`),
        actions: to("Corporate"),
      })),
    },
  ],
};

describeConsole("Try a login, of 250 rules", MANY, ({ open }) => {
  it("says what the conditions of each rule ask, and reads no more rules than it needs", async () => {
    const page = await open();
    const url = page.url();
    await page.goto("about:blank"); // requests of the page that is open already don't count
    const read: string[] = [];
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith("/rules")) read.push(searchParams.has("after") ? "next" : "first");
    });
    await page.goto(url);
    await page.getByRole("textbox", { name: "Login" }).fill("joe@rule-245.example");
    const rules = page.locator("[data-result]");
    await rules.nth(0).getByText("The login is at rule-245.example or below — yes").waitFor();
    expect(await rules.count()).toBe(1);
    const fold = page.getByRole("button", { name: "244 rules before it don't decide", expanded: false });
    await page.getByText("Of the first 20, none is skipped.").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await fold.click();
    await rules.nth(20).waitFor();
    expect(read).toEqual(["first"]);
    for (let shown = 40; shown <= 260; shown += 20) {
      await page.getByRole("button", { name: "Show more of the rules that were tried" }).click();
      await rules.nth(Math.min(shown, 244)).waitFor();
    }
    await page.getByRole("button", { name: "244 rules before it don't match", expanded: true }).waitFor();
    const saw = (i: number) => `The login is at rule-${i}.example or below — no: it is joe@rule-245.example`;
    for (const i of [1, 200, 201, 244]) await rules.nth(i).getByText(saw(i), { exact: true }).waitFor();
    await rules.nth(0).getByText("Matches", { exact: true }).waitFor();
    expect(await page.getByText("The login matches a pattern").count()).toBe(0);
    expect(read).toEqual(["first", "next"]);
    expect(await findViolations(page)).toEqual([]);
  });
});
