import { until } from "../../../test/support/until.js";
import { describeConsole, findViolations, revokeAt } from "../support/console-browser.js";

const DOCUMENT = { orgs: [{ subdomain: "demo", name: "Demo" }] };

describeConsole("signing in to the console", DOCUMENT, ({ client, open, visit, complaints }) => {
  it("takes a link once, and removes its code from the address", async () => {
    const link = await client().newLink();
    const page = await visit(link);
    await page.getByRole("heading", { name: "Try a login" }).waitFor();
    expect(page.url()).toBe(`${client().origin}/console`);
    expect(await page.evaluate("JSON.stringify([document.cookie, history.state, { ...localStorage }])")).not.toContain(
      link.split("=")[1],
    );
    expect(await page.evaluate("document.cookie")).toBe("");

    const again = await visit(link);
    await again.getByRole("heading", { name: "Sign in to the console" }).waitFor();
    await again.getByText("The link is not valid here: it works once").waitFor();
    expect(await findViolations(again)).toEqual([]);
  });

  it("takes a link in the tab that shows the page to sign in, which names the host", async () => {
    const page = await visit(`${client().origin}/console/rules`);
    await page.getByText(new URL(client().origin).host, { exact: true }).waitFor();
    await page.evaluate(`location.hash = "code=${await client().newCode()}"`);
    await page.getByRole("heading", { name: "Routing rules" }).waitFor();
    expect(page.url()).toBe(`${client().origin}/console/rules`);
  });

  it("is not signed out by an outage: it keeps what it has, says how old that is, and tries again by itself", async () => {
    const page = await open("/idps");
    await page.getByText("0 identity providers").waitFor();
    await page.evaluate("new Promise((done) => setTimeout(done, 2_500))"); // what is not visited is loaded when idle
    let isAway = true;
    await page.context().route("**/{api,console/session}**", (route) => (isAway ? route.abort() : route.continue()));
    await page.getByRole("link", { name: "Zones" }).click();
    await page.getByRole("heading", { name: "Zones" }).waitFor(); // its code was there already
    const outage = page.getByRole("alert").filter({ hasText: "The server can't be reached" });
    await outage.getByText("The page tries again by itself.").waitFor();
    expect(await page.getByText("0 zones").count()).toBe(0);
    expect(await findViolations(page)).toEqual([]);
    isAway = false;
    await page.getByText("0 zones").waitFor();
    await outage.waitFor({ state: "detached" });
    isAway = true;
    await page.reload();
    await page.getByText("The server can't be reached: check the connection.").waitFor();
    expect(await page.getByRole("heading", { name: /Sign in/ }).count()).toBe(0);
    isAway = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "Zones" }).waitFor();
    await page.context().unrouteAll();
  });

  it("shows itself without a style that could not be loaded, asks for it again, and says so when a part can't be loaded", async () => {
    const page = await visit("about:blank");
    let failures = 0;
    await page.route("**/assets/*.css", (route) =>
      route.request().url().includes("/index-") || failures++ > 0 ? route.continue() : route.abort(),
    );
    await page.goto(`${client().origin}/console`);
    await page.getByRole("heading", { name: "Sign in to the console" }).waitFor();
    await until(() => failures > 1);
    await page.unrouteAll();
    await page.route("**/assets/sign-in-*.js", (route) => route.abort());
    await page.reload();
    await page.getByText("A part of the console could not be loaded: check the connection.").waitFor();
    expect(complaints.splice(0)).toEqual([expect.stringContaining("dynamically imported module")]);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "Sign in to the console" }).waitFor();
  });

  it("takes an API token, which no script keeps", async () => {
    const token = await client().newToken();
    const page = await visit(`${client().origin}/console`);
    await page.getByLabel("Or paste an API token").fill(token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Try a login" }).waitFor();
    const kept = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])");
    expect(kept).not.toContain(token);
    await page.reload();
    await page.getByRole("heading", { name: "Try a login" }).waitFor();
  });

  it("shows why a token is refused, with the id to copy", async () => {
    const page = await visit(`${client().origin}/console`);
    await page.getByLabel("Or paste an API token").fill("etq_wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("The API token is not valid here").waitFor();
    await page.getByRole("button", { name: "Copy the id of the request" }).waitFor();
  });

  it("asks to sign in again when the token was revoked", async () => {
    const page = await open();
    await page.getByRole("heading", { name: "Try a login" }).waitFor();
    await revokeAt(page, client(), "**/trace?**");
    await page.getByRole("textbox", { name: "Login" }).fill("joe@example.com");
    await page.getByText("Your session has ended").waitFor();
  });

  it("signs out", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to the console" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Sign in to the console" }).waitFor();
  });

  it("is one session for all tabs: what another tab does is seen when one comes back", async () => {
    const page = await open("/idps");
    const other = await page.context().newPage();
    await other.goto(`${client().origin}/console`);
    const come = () => page.evaluate(`document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))`);
    const signIn = async (name: string) => {
      await other.getByRole("button", { name: "Sign out" }).click();
      await other.getByLabel("Or paste an API token").fill(await client().newToken({ name }));
      await other.getByRole("button", { name: "Sign in" }).click();
      await other.getByText(`Signed in with the token ${name}`).waitFor();
    };
    await signIn("First");
    await come();
    await page.getByText("Signed in with the token First").waitFor();
    await other.getByRole("button", { name: "Sign out" }).click();
    await other.getByRole("heading", { name: "Sign in to the console" }).waitFor();
    await come();
    await page.getByText("Your session has ended").waitFor();
  });

  it("leaves no login behind for who signs in next", async () => {
    const page = await open();
    await page.getByRole("textbox", { name: "Login" }).fill("joe@example.com");
    await page.getByText("joe@example.com signs in at").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to the console" }).waitFor();
    expect(await page.evaluate(`sessionStorage.getItem("etiquette.tried")`)).toBeNull();
  });

  it("says so when the server did not sign one out", async () => {
    const page = await open();
    await page.route("**/console/session", (route) =>
      route.request().method() === "DELETE" ? route.abort() : route.continue(),
    );
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("alert").getByText("You are still signed in").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to the console" }).waitFor();
  });

  it("asks to sign in again after an upgrade, too, when the server has other files", async () => {
    const page = await open("/idps");
    await page.getByText("0 identity providers").waitFor();
    await page.evaluate("new Promise((done) => setTimeout(done, 3_000))"); // what is not visited is loaded when idle
    await page.route("**/console/assets/**", (route) => route.fulfill({ status: 404 }));
    await revokeAt(page, client(), "**/api/v1/zones?**");
    await page.getByRole("link", { name: "Zones" }).click();
    await page.getByText("Your session has ended").waitFor();
  });

  it("runs no script but its own", async () => {
    const page = await open();
    const refused = page.evaluate(`new Promise((resolve) => {
      document.addEventListener("securitypolicyviolation", (event) => resolve(event.violatedDirective));
      const script = document.createElement("script");
      script.textContent = "document.title = 'taken over'";
      document.head.append(script);
    })`);
    expect(await refused).toBe("script-src-elem");
    expect(await page.title()).not.toBe("taken over");
    expect(complaints.splice(0)).toEqual([expect.stringContaining("Content Security Policy")]);
  });
});
