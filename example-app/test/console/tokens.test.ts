import type { Page } from "playwright-core";
import { describeConsole, findViolations, holdBack } from "../support/console-browser.js";

const HOSTILE = `<script>document.title="taken over"</script>`;
const RTL = "nekot שלום";

const SECRET_REGEXP = /^etq_[0-9A-Za-z]{33}$/;

/** Whether the page needs no scrolling to the side. */
const IS_NARROW = "document.documentElement.scrollWidth <= window.innerWidth";

const DOCUMENT = { orgs: [{ subdomain: "demo", name: "Demo" }] };

/** A request of somebody else: with a secret, or with the session of the page. */
async function send(page: Page, method: string, path: string, body?: object, secret?: string) {
  const { origin } = new URL(page.url());
  return page.request.fetch(`${origin}/api/v1/${path}`, {
    method,
    headers: { Origin: origin, ...(secret !== undefined && { Authorization: `SVC ${secret}` }) },
    ...(body && { data: body }),
  });
}

/** @returns the secret of the new token */
async function createToken(page: Page, body: object, secret?: string): Promise<string> {
  return (await (await send(page, "POST", "apiTokens", body, secret)).json()).token;
}

const statusOf = async (page: Page, secret: string) => (await send(page, "GET", "users", undefined, secret)).status();

/** Opens the page after the creation of these tokens. */
async function openTokens(
  open: () => Promise<Page>,
  values: readonly object[] = [],
): Promise<{ page: Page; secrets: string[] }> {
  const page = await open();
  const secrets: string[] = [];
  for (const each of values) secrets.push(await createToken(page, each));
  await page.goto(page.url().replace(/console.*/, "console/tokens"));
  await page.getByText("This session").waitFor();
  return { page, secrets };
}

async function signIn(page: Page, secret: string): Promise<void> {
  await page.getByLabel("Or paste an API token").fill(secret);
  await page.getByRole("button", { name: "Sign in" }).click();
}

const row = (page: Page, name: string) => page.getByRole("listitem").filter({ hasText: name });

/** All that scripts and the address of the page could keep. */
const KEPT =
  "JSON.stringify([location.href, history.state, { ...localStorage }, { ...sessionStorage }, document.cookie])";

describeConsole("API tokens", DOCUMENT, ({ client, open, visit }) => {
  // only rows near the window are in the page: the sessions of earlier tests must not push this one out of it
  beforeEach(async () => {
    const store = await client().openStore();
    await store.write((transaction) => transaction.db.deleteFrom("api_tokens").execute());
    await store.close();
  });

  it("has rows without words until the tokens are read", async () => {
    const page = await open();
    const release = await holdBack(page, "**/apiTokens?**");
    await page.getByRole("link", { name: "API tokens" }).click();
    await page.getByRole("progressbar", { name: "Reading the tokens" }).waitFor();
    expect(await page.locator("main .skeleton:visible").count()).toBe(6);
    expect(await findViolations(page)).toEqual([]);
    release();
    await page.getByText("This session").waitFor();
    expect(await page.locator(".skeleton").count()).toBe(0);
  });

  it("creates a token with some scopes, and shows it once", async () => {
    const { page } = await openTokens(open);
    await page.getByRole("button", { name: "Create a token" }).click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Report");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByText("Choose at least one.").waitFor();
    await page.getByRole("radiogroup", { name: "Users" }).getByText("Read").click();
    await page.getByRole("radiogroup", { name: "Zones" }).getByText("Manage").click();
    await page.getByRole("combobox", { name: "How long it is valid" }).click();
    await page.getByRole("option", { name: "7 days" }).click();
    await page.getByRole("combobox", { name: "From which addresses" }).fill("nowhere");
    await page.getByRole("combobox", { name: "From which addresses" }).press("Enter");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByText("The token was not created").waitFor();
    await page.getByText(/^"nowhere"/).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("combobox", { name: "From which addresses" }).press("Backspace");
    await page.getByRole("combobox", { name: "From which addresses" }).fill("127.0.0.0/8");
    const listed = page.waitForResponse(
      (response) => response.request().method() === "GET" && response.url().includes("/apiTokens?"),
    );
    await page.getByRole("button", { name: "Create", exact: true }).click();
    const secret = (await page.getByTestId("secret").textContent()) ?? "";
    expect(secret).toMatch(SECRET_REGEXP);
    expect(await statusOf(page, secret)).toBe(200);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Copy the token" }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate(KEPT)).not.toContain(secret);
    expect(await (await listed).text()).not.toContain(secret);
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await page.content()).not.toContain(secret);
    const shown = await row(page, "Report").textContent();
    expect(shown).toContain("users.read, zones.manage");
    expect(shown).toContain("Only from 127.0.0.0/8");
    expect(client().server.lines.some((line) => JSON.stringify(line).includes(secret))).toBe(false);
  });

  it("copies a new token", async () => {
    const { page } = await openTokens(() => open("", { permissions: ["clipboard-read", "clipboard-write"] }));
    await page.getByRole("button", { name: "Create a token" }).click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Copied");
    await page.getByRole("button", { name: "Choose all" }).click();
    await page.getByRole("button", { name: "Create", exact: true }).click();
    const secret = await page.getByTestId("secret").textContent();
    await page.getByRole("button", { name: "Copy the token" }).click();
    await page.getByRole("button", { name: "Copied", exact: true }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(secret);
    await page.getByRole("button", { name: "Done" }).click();
    await row(page, "Copied").getByText("all scopes").waitFor();
  });

  it("rotates a token: both secrets are valid, or the old one ends at once", async () => {
    const { page, secrets } = await openTokens(open, [{ name: "Rotated", scopes: ["svc.users.read"] }]);
    const rotate = async (overlap: string) => {
      await page.getByRole("button", { name: "Rotate the token Rotated" }).click();
      await page.getByRole("combobox", { name: "How long the old secret stays valid too" }).click();
      await page.getByRole("option", { name: overlap }).click();
      await page.getByRole("button", { name: "Rotate", exact: true }).click();
      const secret = (await page.getByTestId("secret").textContent()) ?? "";
      await page.getByRole("button", { name: "Done" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      return secret;
    };
    const second = await rotate("For one hour");
    await row(page, "Rotated").getByText("the old secret is valid until").waitFor();
    expect(await Promise.all([secrets[0] ?? "", second].map((secret) => statusOf(page, secret)))).toEqual([200, 200]);
    const third = await rotate("Not at all: the token leaked");
    expect(await Promise.all([secrets[0] ?? "", second, third].map((secret) => statusOf(page, secret)))).toEqual([
      401, 401, 200,
    ]);
  });

  it("does not rotate a token that somebody else has rotated meanwhile", async () => {
    const { page } = await openTokens(open, [{ name: "Twice", scopes: ["svc.users.read"] }]);
    await page.getByRole("button", { name: "Rotate the token Twice" }).click();
    await page.getByRole("button", { name: "Rotate", exact: true }).and(page.locator(":enabled")).waitFor();
    const tokens: { id: string; name: string }[] = await (await send(page, "GET", "apiTokens?limit=200")).json();
    const { id } = tokens.find(({ name }) => name === "Twice")!;
    await send(page, "POST", `apiTokens/${id}/lifecycle/rotate`, {});
    await page.getByRole("button", { name: "Rotate", exact: true }).click();
    await page.getByText("The token was not rotated").waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  it("revokes a token with those that it made, which it names before", async () => {
    const { page, secrets } = await openTokens(open, [
      { name: "Parent", scopes: ["svc.users.read", "svc.apiTokens.manage"] },
    ]);
    const child = await createToken(page, { name: "Child" }, secrets[0]);
    await page.reload();
    await row(page, "Child").getByText("by Parent").waitFor();
    await page.getByRole("button", { name: "Revoke the token Parent" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("It made these tokens, which end with it:").waitFor();
    await dialog.getByRole("listitem").getByText("Child").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Revoke the token" }).click();
    await dialog.waitFor({ state: "detached" });
    await row(page, "Child").waitFor({ state: "detached" });
    expect(await row(page, "Parent").count()).toBe(0);
    expect(await Promise.all([secrets[0] ?? "", child].map((secret) => statusOf(page, secret)))).toEqual([401, 401]);
  });

  it("says that revoking the token of the session ends it, and asks to sign in", async () => {
    const { page } = await openTokens(open);
    const own = row(page, "This session");
    await own.getByRole("button", { name: /^Revoke the token Console/ }).click();
    await page.getByText("Your session ends too").waitFor();
    await page.getByRole("button", { name: "Revoke the token", exact: true }).click();
    await page.getByText("Your session has ended").waitFor();
  });

  it("revokes every token that meets criteria, which it shows before", async () => {
    const { page } = await openTokens(open, [
      { name: "Many 1", scopes: ["svc.users.read"] },
      { name: "Many 2", scopes: ["svc.users.read"] },
    ]);
    const store = await client().openStore();
    const old = new Date(Date.now() - 40 * 86_400_000).toISOString();
    await store.write((transaction) =>
      transaction.db.updateTable("api_tokens").set({ created: old }).where("name", "like", "Many %").execute(),
    );
    await store.close();
    await page.reload();
    await page.getByText("This session").waitFor();
    await page.getByRole("button", { name: "Revoke many" }).click();
    expect(await page.getByRole("button", { name: "Revoke 0 tokens" }).isDisabled()).toBe(true);
    await page.getByRole("combobox", { name: "Not used and not created in the last" }).click();
    await page.getByRole("option", { name: "30 days" }).click();
    expect(await page.getByRole("dialog").getByRole("listitem").allTextContents()).toEqual(["Many 1", "Many 2"]);
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Revoke 2 tokens" }).click();
    await page.getByText("2 tokens were revoked").waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    await row(page, "Many 1").waitFor({ state: "detached" });
    expect(await row(page, "This session").count()).toBe(1);
  });

  it("offers only the scopes that the session may give", async () => {
    const { page, secrets } = await openTokens(open, [
      { name: "Narrow", scopes: ["svc.users.read", "svc.apiTokens.manage"] },
      { name: "Watcher", scopes: ["svc.apiTokens.read"] },
    ]);
    await page.getByRole("button", { name: "Sign out" }).click();
    await signIn(page, secrets[0] ?? "");
    await page.getByText("This session").waitFor();
    expect(
      await page
        .getByRole("listitem")
        .getByText(/^Console/)
        .count(),
    ).toBe(0);
    await page.getByRole("button", { name: "Create a token" }).click();
    const choices = (name: string) => page.getByRole("radiogroup", { name }).getByRole("radio").count();
    expect([await choices("Users"), await choices("API tokens"), await choices("Zones")]).toEqual([2, 3, 1]);

    const watcher = await visit(`${client().origin}/console/tokens`);
    await signIn(watcher, secrets[1] ?? "");
    await watcher.getByText("This session").waitFor();
    expect(await watcher.getByRole("button", { name: /^(Create|Rotate|Revoke)/ }).count()).toBe(0);
  });

  it.each([
    ["dark", { colorScheme: "dark" as const }],
    ["narrow", { viewport: { width: 360, height: 740 } }],
  ])("shows names as text, and is accessible when %s", async (kind, options) => {
    const { page } = await openTokens(
      () => open("", options),
      [HOSTILE, RTL, "x".repeat(120)].map((name) => ({ name: `${name} ${kind}`, scopes: ["svc.zones.read"] })),
    );
    const find = page.getByRole("textbox", { name: "Find a token by its name" });
    await find.fill("nekot");
    await page.getByText(`${RTL} ${kind}`).waitFor();
    await find.fill(kind);
    await page.getByText(`${HOSTILE} ${kind}`).waitFor();
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate(IS_NARROW)).toBe(true);
    await page.getByRole("button", { name: `Revoke the token ${HOSTILE} ${kind}` }).press("Enter");
    await page.getByRole("dialog").getByText(`${HOSTILE} ${kind}`).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press("Enter"); // on Cancel, which has the focus
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByText(`${HOSTILE} ${kind}`).waitFor();
    expect(await page.title()).not.toBe("taken over");
    expect(await page.evaluate(IS_NARROW)).toBe(true);
  });
});
