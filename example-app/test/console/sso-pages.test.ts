import { describeConsole, findViolations } from "../support/console-browser.js";

const idp = (name: string, status = "ACTIVE") => ({
  name,
  type: "OIDC",
  status,
  protocol: { type: "OIDC", endpoints: { sso: { url: "https://op.example/authorize", binding: "HTTP-REDIRECT" } } },
});

const NAMES = ["Contoso employees", "شركة المثال", `A provider with a long name ${"x".repeat(90)}`];

const DOCUMENT = {
  orgs: [
    {
      subdomain: "demo",
      name: "Demo & Sons",
      idps: [...NAMES, "Closed"].map((name) => idp(name, name === "Closed" ? "INACTIVE" : "ACTIVE")),
      rules: [
        {
          name: "several",
          conditions: {
            userIdentifier: { type: "IDENTIFIER", patterns: [{ matchType: "SUFFIX", value: "example.com" }] },
          },
          actions: { idp: { providers: [...NAMES.map((name) => ({ idp: name })), { type: "SVC" }] } },
        },
      ],
    },
  ],
};

describeConsole("the pages of signing in", DOCUMENT, ({ client, visit }) => {
  const at = (path: string) => `${client().origin}/sso${path}`;

  it.each([
    ["the form", "/idps/SVC", "Sign in to Demo & Sons"],
    ["the choice", "/login?login=joe%40example.com", "Choose how to sign in to Demo & Sons"],
    [
      "a provider that is gone",
      `/idps/${"0".repeat(20)}?login_hint=joe%40example.com`,
      "This identity provider is not available",
    ],
    ["a login that can't go on", "?iss=https%3A%2F%2Fop.example", "This sign-in can't go on"],
  ])("suits everybody, light and dark, also on a phone: %s", async (_what, path, heading) => {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [320, 1_280]) {
        const page = await visit(at(path), { colorScheme, viewport: { width, height: 720 } });
        await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
        expect(await findViolations(page)).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
        expect(await page.evaluate("document.documentElement.lang")).toBe("en");
      }
    }
  });

  it("lets people choose with the keyboard, and begin again", async () => {
    const page = await visit(at("/idps/SVC"));
    await page.locator("input:focus").waitFor(); // the browser gives it the focus after the page is there
    await page.keyboard.type("joe@example.com");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Choose how to sign in" }).waitFor();
    const list = page.getByRole("list").getByRole("link");
    expect(await list.allTextContents()).toEqual([...NAMES, "Demo & Sons itself"]);
    await page.getByRole("link", { name: "Use another login" }).click();
    await page.getByRole("heading", { name: "Sign in to Demo & Sons" }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Choose how to sign in" }).waitFor();
    for (let steps = 0; steps < 2; steps++) await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe(NAMES[1]);
    await page.keyboard.press("Enter");
    await page.waitForURL("https://op.example/authorize?login_hint=joe%40example.com");
  });
});
