import type { Page } from "playwright-core";
import { describeConsole, findViolations } from "../support/console-browser.js";

const HOSTILE = `<script>document.title="taken over"</script>`;
const RTL = "moc.elpmaxe שלום";
const LONG_LOGIN = `${"x".repeat(243)}@example.com`;

/** Whether the page needs no scrolling to the side. */
const IS_NARROW = "document.documentElement.scrollWidth <= window.innerWidth";

const user = (login: string, firstName: string, lastName: string, more: object = {}, status = "ACTIVE") => ({
  status,
  profile: { login, email: `${firstName.toLowerCase().replace(/\W/g, "x")}@example.com`, firstName, lastName, ...more },
});

const DOCUMENT = {
  orgs: [
    {
      subdomain: "demo",
      name: "Demo",
      users: [
        user("ann@example.com", "Ann", "Ames", { department: "Sales", floor: 3, remote: true, groups: ["a", "b, c"] }),
        user("bob@example.com", "Bob", "Berg", { department: "Sales" }),
        user("cleo@example.com", "Cleo", "Cole"),
        user("dora@example.com", "Dora", "Dahl", {}, "LOCKED_OUT"),
        user("gone@example.com", "Gone", "Gray", {}, "DEPROVISIONED"),
        user("keys@example.com", "Keys", "Kent"),
        user(LONG_LOGIN, HOSTILE, RTL, { note: HOSTILE }),
        ...Array.from({ length: 120 }, (_, i) =>
          user(`p${String(i).padStart(3, "0")}@many.example`, "Person", i === 7 ? "Müller" : `P${i}`),
        ),
      ],
    },
  ],
};

/** A request with the session of the page, by somebody else. */
async function send(page: Page, method: string, path: string, body: object = {}) {
  const { origin } = new URL(page.url());
  const url = `${origin}/api/v1/users/${path}`;
  const response = await page.request.fetch(url, {
    method,
    headers: { Origin: origin },
    ...(method !== "GET" && { data: body }),
  });
  return response.json();
}

/** Opens a user over the list. */
async function openUser(page: Page, name: string): Promise<void> {
  await page.getByRole("textbox", { name: "Login, e-mail, first or last name" }).fill(name.split(" ")[0] ?? "");
  await page.getByRole("link", { name }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Login" }).waitFor();
}

const field = (page: Page, name: string) => page.getByRole("dialog").getByRole("textbox", { name, exact: true });

/** The buttons of the operations with the user. */
const operationsOf = (page: Page) =>
  page.getByRole("group", { name: "What can be done with the user" }).getByRole("button").allTextContents();

describeConsole("Users", DOCUMENT, ({ client, open, visit }) => {
  it("lists the users by login, and reads on as one scrolls", async () => {
    const page = await open("/users");
    await page.getByText("126 users", { exact: true }).waitFor();
    await page.getByRole("listitem").first().getByText("ann@example.com").waitFor();
    await page.getByText("gone@example.com").waitFor({ state: "detached" });
    expect(await page.getByRole("listitem").count()).toBeLessThan(60);
    expect(await findViolations(page)).toEqual([]);
    await page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)");
    await page.getByText("p095@many.example").waitFor();
    await page.getByText("126 users", { exact: true }).waitFor();
  });

  it("finds users by any words of their names, and says when there is none", async () => {
    const page = await open("/users");
    const name = page.getByRole("textbox", { name: "Login, e-mail, first or last name" });
    await name.fill("cle");
    await page.getByText("1 user", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Cleo Cole" }).waitFor();
    await name.fill("ames ann");
    await page.getByRole("link", { name: "Ann Ames" }).waitFor();
    await name.fill("muller");
    await page.getByRole("link", { name: "Person Müller" }).waitFor();
    await name.fill("nobody");
    await page.getByText("No user matches").waitFor();
  });

  it("marks the place of a mistake in a filter", async () => {
    const page = await open("/users");
    await page.getByText("Filter", { exact: true }).click();
    const filter = page.getByRole("textbox", { name: "Filter by exact values" });
    await filter.fill('status eq "ACTIVE" and profile.login co "ann"');
    await page.getByText('Found "co" at offset 37, expected one of eq after "profile.login".').waitFor();
    expect(await page.getByTestId("mistake").textContent()).toBe("co");
    expect(await filter.getAttribute("aria-invalid")).toBe("true");
    await page.getByRole("button", { name: "Copy the id of the request" }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await filter.fill('status eq "ACTIVE');
    await page.getByText(/Found the end at offset 17, expected a double quote/).waitFor();
    await filter.fill('status eq "DEPROVISIONED"');
    await page.getByRole("link", { name: "Gone Gray" }).waitFor();
    await page.getByRole("main").getByText("Search", { exact: true }).click();
    await page.getByRole("textbox", { name: "Search every attribute" }).fill('profile.department eq "Sales" oops');
    await page.getByTestId("mistake").getByText("oops").waitFor();
    await page.getByRole("textbox", { name: "Search every attribute" }).fill('profile.department eq "Sales"');
    await page.getByText("2 users", { exact: true }).waitFor();
  });

  it("edits every attribute, and sends them as they are", async () => {
    const page = await open("/users");
    await openUser(page, "Ann Ames");
    const id = page.url().split("/").at(-1) ?? "";
    await field(page, "First name").fill("Anna");
    await field(page, "Value of floor").fill("4.5");
    await page.getByRole("switch", { name: "Value of remote" }).press("Space");
    await page.getByRole("combobox", { name: "Value of groups" }).fill("d");
    await page.getByRole("combobox", { name: "Value of groups" }).press("Enter");
    await page.getByRole("button", { name: "Remove department" }).click();
    await page.getByRole("button", { name: "Add an attribute" }).click();
    await field(page, "Name of the new attribute").fill("badge");
    await field(page, "Value of badge").fill("one\ntwo");
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Anna Ames" }).waitFor();
    expect((await send(page, "GET", id)).profile).toEqual({
      login: "ann@example.com",
      email: "ann@example.com",
      firstName: "Anna",
      lastName: "Ames",
      floor: 4.5,
      remote: false,
      groups: ["a", "b, c", "d"],
      badge: "one\ntwo",
    });
  });

  it("shows both versions when somebody else was faster, and saves the chosen values", async () => {
    const page = await open("/users");
    await openUser(page, "Bob Berg");
    const id = page.url().split("/").at(-1) ?? "";
    await field(page, "Last name").fill("Mine");
    await field(page, "E-mail").fill("mine@example.com");
    await send(page, "POST", id, { profile: { email: "theirs@example.com", department: "Research" } });
    await send(page, "POST", `${id}/lifecycle/suspend`);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Somebody else changed this user meanwhile").waitFor();
    await page.getByText("The status was ACTIVE and is SUSPENDED now.").waitFor();
    const group = (name: string) => page.getByRole("radiogroup", { name });
    expect(await group("Last name").getByRole("radio", { name: "As you changed it Mine" }).isChecked()).toBe(true);
    expect(await group("department").getByRole("radio", { name: "As it is now Research" }).isChecked()).toBe(true);
    await page.getByText("Still to choose: E-mail").waitFor();
    expect(await page.getByRole("button", { name: "Save these values" }).isDisabled()).toBe(true);
    expect(await findViolations(page)).toEqual([]);
    const takeTheirs = group("E-mail").getByRole("radio", { name: "As it is now theirs@example.com" });
    await takeTheirs.check();
    await send(page, "POST", id, { profile: { department: "Marketing" } });
    await page.getByRole("button", { name: "Save these values" }).click();
    await group("department")
      .getByRole("radio", { name: "As it is now Marketing" })
      .and(page.locator(":checked"))
      .waitFor();
    await takeTheirs.check();
    await page.getByRole("button", { name: "Save these values" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const { status, profile } = await send(page, "GET", id);
    expect([status, profile]).toEqual([
      "SUSPENDED",
      {
        login: "bob@example.com",
        email: "theirs@example.com",
        firstName: "Bob",
        lastName: "Mine",
        department: "Marketing",
      },
    ]);
  });

  it("creates a user, with what the server finds wrong at its field", async () => {
    const page = await open("/users");
    await page.getByRole("link", { name: "Create a user" }).click();
    await field(page, "Login").fill("cleo@example.com");
    await field(page, "E-mail").fill("none");
    await field(page, "First name").fill("New");
    await field(page, "Last name").fill("User");
    await page.getByRole("button", { name: "Add an attribute" }).click();
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByText("needs a name").waitFor();
    await field(page, "Name of the new attribute").fill("a b");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByText("The user was not created").waitFor();
    await page.getByText("must be an e-mail address", { exact: true }).waitFor();
    await page.getByText(/^is no attribute name/).waitFor();
    await page.getByRole("button", { name: "Copy the id of the request" }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Remove a b" }).click();
    await field(page, "E-mail").fill("new@example.com");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page
      .getByText("An object with this field already exists in the current organization", { exact: true })
      .waitFor();
    await field(page, "Login").fill("new@example.com");
    await page.getByRole("switch", { name: "The user is ACTIVE at once" }).press("Space");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByRole("button", { name: "Activate", exact: true }).waitFor();
    expect(await operationsOf(page)).toEqual(["Activate", "Deactivate"]);
  });

  it("offers what the links of the user allow, and asks before what can't be undone", async () => {
    const page = await open("/users");
    await openUser(page, "Dora Dahl");
    const id = page.url().split("/").at(-1) ?? "";
    expect(await operationsOf(page)).toEqual(["Unlock", "Deactivate"]);
    await field(page, "Last name").fill("Doe");
    await page.getByRole("button", { name: "Unlock" }).click();
    await page.getByRole("button", { name: "Suspend" }).waitFor();
    expect(await operationsOf(page)).toEqual(["Suspend", "Expire password", "Deactivate"]);
    expect(await field(page, "Last name").inputValue()).toBe("Doe");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect((await send(page, "GET", id)).profile.lastName).toBe("Doe");

    await openUser(page, "Dora Doe");
    await page.getByRole("button", { name: "Deactivate" }).click();
    await page.getByText("Deactivate Dora Doe?").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press("Enter"); // on Cancel, which has the focus
    await page.getByText("Deactivate Dora Doe?").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Deactivate" }).click();
    await page.getByRole("group", { name: "Deactivate Dora Doe?" }).getByRole("button", { name: "Deactivate" }).click();
    await page.getByRole("button", { name: "Delete" }).waitFor();
    expect(await operationsOf(page)).toEqual(["Activate", "Delete"]);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("group", { name: "Delete Dora Doe?" }).getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect((await send(page, "GET", id)).errorCode).toBe("E0000007");
  });

  it("leads from a user to the events of the user", async () => {
    const page = await open("/users");
    await openUser(page, "Keys Kent");
    const id = page.url().split("/").at(-1) ?? "";
    await page.getByRole("button", { name: "Suspend" }).click();
    await page.getByRole("button", { name: "Unsuspend" }).click();
    await page.getByRole("button", { name: "Suspend" }).waitFor();
    await page.getByRole("dialog").getByRole("link", { name: "In the System Log" }).click();
    await page.getByRole("heading", { name: "System Log" }).waitFor();
    expect(new URL(page.url()).searchParams.get("filter")).toBe(`target.id eq "${id}"`);
    await page.getByRole("listitem").filter({ hasText: "Keys Kent" }).nth(1).waitFor();
  });

  it("shows names as text, whatever they are", async () => {
    const page = await open("/users");
    await page.getByRole("textbox", { name: "Login, e-mail, first or last name" }).fill("xxx");
    const link = page.getByRole("link", { name: HOSTILE });
    expect(await link.textContent()).toBe(`${HOSTILE} ${RTL}`);
    await page.getByText(LONG_LOGIN).waitFor();
    await link.click();
    expect(await field(page, "Value of note").inputValue()).toBe(HOSTILE);
    await page.getByRole("button", { name: "Deactivate" }).click();
    await page.getByText(`Deactivate ${HOSTILE} ${RTL}?`).waitFor();
    expect(await page.title()).not.toBe("taken over");
    expect(await page.evaluate(IS_NARROW)).toBe(true);
  });

  it("works by keyboard alone", async () => {
    const page = await open("/users");
    const name = page.getByRole("textbox", { name: "Login, e-mail, first or last name" });
    await name.focus();
    await page.keyboard.type("keys@");
    await page.getByText("1 user", { exact: true }).waitFor();
    const focused = page.locator("a:focus", { hasText: "Keys Kent" });
    for (let presses = 0; presses < 5 && (await focused.count()) === 0; presses++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await field(page, "First name").waitFor();
    await field(page, "First name").focus();
    await page.keyboard.type("!");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("link", { name: /Keys!|!Keys/ }).waitFor();
    await page.getByRole("link", { name: /Keys!|!Keys/ }).press("Enter");
    await field(page, "First name").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(page.url()).toBe(`${client().origin}/console/users`);
  });

  it.each([
    ["dark", { colorScheme: "dark" as const }],
    ["narrow", { viewport: { width: 360, height: 740 } }],
  ])("is accessible when %s", async (_kind, options) => {
    const page = await open("/users", options);
    await page.getByRole("link", { name: "Cleo Cole" }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate(IS_NARROW)).toBe(true);
    await page.getByText("Filter", { exact: true }).click();
    await page
      .getByRole("textbox", { name: "Filter by exact values" })
      .fill(`${"(".repeat(20)}status eq "${"x".repeat(200)}`);
    await page.getByTestId("mistake").waitFor();
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate(IS_NARROW)).toBe(true);
    await page.getByText("Words", { exact: true }).click();
    await openUser(page, "Cleo Cole");
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate(IS_NARROW)).toBe(true);
  });

  it("changes nothing for a token that may only read", async () => {
    const { origin } = client();
    const body = { name: "Reader", scopes: ["svc.users.read"] };
    const { request } = await open();
    const created = await request.post(`${origin}/api/v1/apiTokens`, { headers: { Origin: origin }, data: body });
    const { token } = await created.json();
    const page = await visit(`${origin}/console/users`);
    await page.getByLabel("Or paste an API token").fill(token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await openUser(page, "Cleo Cole");
    expect(await field(page, "Login").getAttribute("readonly")).not.toBeNull();
    expect(await page.getByRole("button", { name: /Save|Deactivate/ }).count()).toBe(0);
    expect(await page.getByText("Create a user").count()).toBe(0);
    expect(await page.getByRole("link", { name: "In the System Log" }).count()).toBe(0);
  });
});

describeConsole("Users of a new org", { orgs: [{ subdomain: "demo", name: "Demo" }] }, ({ open }) => {
  it("says what users are for, and how to begin", async () => {
    const page = await open("/users");
    await page.getByText("No users yet").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("link", { name: "Create a user" }).last().click();
    await field(page, "Login").waitFor();
  });
});
