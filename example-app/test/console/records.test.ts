import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { generate } from "selfsigned";
import { until } from "../../../test/support/until.js";
import { describeConsole, findViolations, holdBack } from "../support/console-browser.js";
import { rule, samlIdp, trustedOrigin, zone } from "../support/documents.js";

const HOSTILE = "<script>document.title='taken over'</script>";
const RIGHT_TO_LEFT = "evil \u05e9\u05dc\u05d5\u05dd";
const LONG = "n".repeat(128);

const mixed = {
  ...samlIdp("Mixed"),
  protocol: {
    ...samlIdp("Mixed").protocol,
    credentials: { ...samlIdp("Mixed").protocol.credentials, client: { clientId: "left-over" } },
  },
};

const DOCUMENT = {
  orgs: [
    {
      subdomain: "demo",
      name: "Demo",
      idps: [samlIdp("Contoso"), samlIdp("Unused"), mixed, samlIdp(HOSTILE), samlIdp(RIGHT_TO_LEFT), samlIdp(LONG)],
      zones: [zone("Office"), zone("Home")],
      trustedOrigins: [trustedOrigin("Portal")],
      rules: [
        {
          ...rule("Employees", "Contoso"),
          conditions: { network: { connection: "ZONE", include: ["Office"] } },
        },
      ],
    },
  ],
};

const nameField = (page: Page) => page.getByRole("textbox", { name: "Name", exact: true });
const row = (page: Page, name: string) => page.getByRole("listitem").filter({ hasText: name });

async function add(page: Page, what: string, name: string): Promise<void> {
  await page.getByRole("button", { name: `Add ${what}` }).click();
  if (what === "an identity provider") await page.getByRole("button", { name: "Fill in by hand" }).click();
  await nameField(page).fill(name);
}

/** The labels of the fields of "How it is trusted". */
async function credentialsOf(page: Page): Promise<string[]> {
  const group = page.getByRole("group", { name: "How it is trusted" });
  await group.waitFor();
  return group.locator("label").allTextContents();
}

async function save(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Save", exact: true }).click();
}

async function saved(page: Page): Promise<void> {
  await save(page);
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

describeConsole("Identity providers", DOCUMENT, ({ open, client }) => {
  it("adds one, with what is wrong at its field, and changes it", async () => {
    const page = await open("/idps");
    await row(page, "Contoso").getByText("SAML 2.0 · https://idp.example.com/sso").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await add(page, "an identity provider", "Partners");
    await page.getByRole("combobox", { name: "Type" }).click();
    await page.getByRole("option", { name: "Google" }).click();
    await page.getByRole("combobox", { name: "Protocol" }).waitFor();
    await page.getByRole("textbox", { name: "Sign-on address" }).fill("ftp://partners.example");
    await page.getByRole("textbox", { name: "Client id" }).fill("client-1");
    await save(page);
    const dialog = page.getByRole("dialog");
    await dialog.getByText("The identity provider was not saved").waitFor();
    await expect(page.getByRole("textbox", { name: "Sign-on address" }).getAttribute("aria-invalid")).resolves.toBe(
      "true",
    );
    await dialog.getByText("must be an https or http URL", { exact: false }).first().waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("textbox", { name: "Sign-on address" }).fill("https://partners.example/authorize");
    await saved(page);
    await row(page, "Partners").getByText("Google · https://partners.example/authorize").waitFor();

    await page.getByRole("button", { name: "Edit the identity provider Partners" }).click();
    await expect(page.getByRole("textbox", { name: "Client id" }).inputValue()).resolves.toBe("client-1");
    await expect(page.getByRole("combobox", { name: "Type" }).getAttribute("readonly")).resolves.not.toBeNull();
    await page.getByText("No rule uses it.").waitFor();
    await nameField(page).fill("Partners and friends");
    await saved(page);
    await page.getByRole("textbox", { name: "Find an identity provider by its name" }).fill("FRIENDS");
    await page.getByText("1 identity provider", { exact: true }).waitFor();
    await row(page, "Partners and friends").waitFor();
  });

  it("shows the credentials of each type, and stores no others", async () => {
    const page = await open("/idps");
    await page.getByRole("button", { name: "Edit the identity provider Unused" }).click();
    expect(await credentialsOf(page)).toEqual(["Issuer", "Audience", "Certificate"]);
    await page.getByRole("button", { name: "Close" }).click();
    await add(page, "an identity provider", "Accounts");
    await page.getByRole("textbox", { name: "Sign-on address" }).fill("https://accounts.example/authorize");
    await page.getByRole("textbox", { name: "Audience" }).fill("urn:left-over");
    await page.getByRole("combobox", { name: "Type" }).click();
    await page.getByRole("option", { name: "OpenID Connect" }).click();
    expect(await credentialsOf(page)).toEqual(["Issuer", "Client id"]);
    await saved(page);
    await page.getByRole("button", { name: "Edit the identity provider Accounts" }).click();
    expect(await credentialsOf(page)).toEqual(["Issuer", "Client id"]);
  });

  it("keeps the metadata address, and shows why the last attempt to fetch it failed", async () => {
    const page = await open("/idps");
    const address = page.getByRole("textbox", { name: "Metadata address" });
    await add(page, "an identity provider", "Fetched");
    await page.getByRole("textbox", { name: "Sign-on address" }).fill("https://fetched.example/sso");
    await address.fill("https://127.0.0.1:1/metadata");
    await save(page);
    await page.getByText("is required with protocol.metadata", { exact: false }).first().waitFor();
    await page.getByRole("textbox", { name: "Issuer" }).fill("https://fetched.example");
    await saved(page);
    const edit = page.getByRole("button", { name: "Edit the identity provider Fetched" });
    const store = await client().openStore();
    const fetched = store.reader.selectFrom("idps").select("metadata").where("name", "=", "Fetched");
    await until(async () => (await fetched.executeTakeFirstOrThrow()).metadata?.includes("not public"));
    await store.close();
    await page.reload();
    await edit.click();
    await expect(address.inputValue()).resolves.toBe("https://127.0.0.1:1/metadata");
    await page.getByText("The last attempt failed: the host has an address that is not public").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await address.fill("");
    await saved(page);
    await edit.click();
    await expect(address.inputValue()).resolves.toBe("");
  });

  it("shows what is stored of another type until it is removed", async () => {
    const page = await open("/idps");
    const edit = page.getByRole("button", { name: "Edit the identity provider Mixed" });
    await edit.click();
    expect(await credentialsOf(page)).toEqual(["Issuer", "Audience", "Certificate", "Client id"]);
    await page.getByRole("textbox", { name: "Client id" }).fill("");
    expect(await credentialsOf(page)).toEqual(["Issuer", "Audience", "Certificate", "Client id"]);
    await saved(page);
    await edit.click();
    expect(await credentialsOf(page)).toEqual(["Issuer", "Audience", "Certificate"]);
  });

  it("shows its metadata, and downloads it", async () => {
    const page = await open("/idps");
    await page.getByRole("button", { name: "Edit the identity provider Unused" }).click();
    await page.getByRole("button", { name: "Show the metadata" }).click();
    await page.getByText('entityID="https://idp.example.com"').waitFor();
    expect(await findViolations(page)).toEqual([]);
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download the metadata" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^metadata-\w{20}\.xml$/);
    expect(await readFile(await file.path(), "utf8")).toContain("<md:EntityDescriptor");
  });

  it("names the rules that use it, and keeps it while they do", async () => {
    const page = await open("/idps");
    await page.getByRole("button", { name: "Edit the identity provider Contoso" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("group", { name: "Used by these rules" }).getByText("Employees (place 1)").waitFor();
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await dialog.getByRole("button", { name: "Delete the identity provider" }).click();
    await dialog.getByText(/^The rule "Employees" \(\w{20}\) uses it\.$/).waitFor();
    await dialog.getByText("The identity provider was not deleted").waitFor();
    await dialog.getByRole("button", { name: "Copy the id of the request" }).waitFor();
  });

  it("tells a screen reader what it waits for", async () => {
    const page = await open("/zones");
    const [releaseList, releaseOne] = [await holdBack(page, "**/api/v1/idps?**"), await holdBack(page, "**/idps/*")];
    await page.getByRole("link", { name: "Identity providers" }).click();
    await page.getByRole("progressbar", { name: "Reading the identity providers" }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    releaseList();
    await page.getByRole("link", { name: "Contoso" }).click();
    await page.getByRole("dialog").getByRole("progressbar", { name: "Reading the identity provider" }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    releaseOne();
    await nameField(page).waitFor();
    await until(async () => (await page.getByRole("progressbar").count()) === 0);
  });

  it("switches it off and on by keyboard, and deletes what nothing uses", async () => {
    const page = await open("/idps");
    const toggle = page.getByRole("switch", { name: "The identity provider Unused is on" });
    await toggle.press("Space");
    await row(page, "Unused").getByText("Off").waitFor();
    await page.getByRole("button", { name: "Edit the identity provider Unused" }).press("Enter");
    await page.getByText("There is none while the identity provider is off.").waitFor();
    await page.getByRole("button", { name: "Delete", exact: true }).press("Enter");
    await page.keyboard.press("Enter"); // the focus is on Cancel
    await page.locator("button:focus").getByText("Delete", { exact: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab"); // the focus was on Cancel
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await row(page, "Unused").waitFor({ state: "detached" });
  });

  it("lets two editors choose field by field", async () => {
    const [mine, theirs] = [await open("/idps"), await open("/idps")];
    for (const page of [mine, theirs]) {
      await page.getByRole("button", { name: "Edit the identity provider Contoso" }).click();
      await nameField(page).waitFor();
    }
    await theirs.getByRole("textbox", { name: "Sign-on address" }).fill("https://theirs.example/sso");
    await theirs.getByRole("textbox", { name: "Audience" }).fill("urn:theirs");
    await saved(theirs);
    await mine.getByRole("textbox", { name: "Audience" }).fill("urn:mine");
    await mine.getByRole("textbox", { name: "Issuer" }).fill("https://mine.example");
    await save(mine);
    await mine.getByText("Somebody else changed this identity provider meanwhile").waitFor();
    await mine.getByText("Still to choose: Audience").waitFor();
    expect(await findViolations(mine)).toEqual([]);
    await mine.getByRole("radiogroup", { name: "Audience" }).getByText("urn:mine").click();
    await mine.getByRole("button", { name: "Save these values" }).click();
    await mine.getByRole("dialog").waitFor({ state: "detached" });
    await row(mine, "Contoso").getByText("https://theirs.example/sso").waitFor();
    await mine.getByRole("button", { name: "Edit the identity provider Contoso" }).click();
    await expect(mine.getByRole("textbox", { name: "Audience" }).inputValue()).resolves.toBe("urn:mine");
    await expect(mine.getByRole("textbox", { name: "Issuer" }).inputValue()).resolves.toBe("https://mine.example");
  });

  it("shows characters that nobody sees by their code, and refuses them at the field", async () => {
    const store = await client().openStore();
    const { id } = (await store.findOrgBySubdomain("demo"))!;
    await store.write(async ({ db, touch }) => {
      await touch(id);
      await db.updateTable("idps").set({ name: "\u202elive" }).where("name", "=", "Mixed").execute();
    });
    await store.close();
    const page = await open("/idps");
    await page.getByText("\\u202elive", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Edit the identity provider \\u202elive" }).click();
    await save(page);
    await page
      .getByRole("dialog")
      .getByText("must not have the invisible character U+202E (at index 0)")
      .first()
      .waitFor();
    await nameField(page).fill("Mixed");
    await saved(page);
  });

  it("shows hostile names as text, also on a narrow screen", async () => {
    const page = await open("/idps", { viewport: { width: 360, height: 700 } });
    for (const name of [HOSTILE, RIGHT_TO_LEFT, LONG]) await page.getByText(name, { exact: true }).waitFor();
    await page.getByRole("button", { name: `Edit the identity provider ${LONG}` }).click();
    await expect(nameField(page).inputValue()).resolves.toBe(LONG);
    expect(await page.title()).not.toBe("taken over");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    expect(await findViolations(page)).toEqual([]);
  });

  it("lets who may only read look", async () => {
    const page = await open("/idps");
    await page.route("**/console/session", async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      body.token.scopes = body.token.scopes.map((scope: string) => scope.replace("manage", "read"));
      await route.fulfill({ response, json: body });
    });
    await page.reload();
    await page.getByRole("button", { name: "Show the identity provider Contoso" }).click();
    await expect(nameField(page).isDisabled()).resolves.toBe(true);
    expect(await page.getByRole("button", { name: /^(Save|Delete|Add)/ }).count()).toBe(0);
  });

  it("tells when a certificate expires, and warns thirty days before", async () => {
    const page = await open("/idps");
    const day = (days: number) => new Date(Date.now() + days * 86_400_000 + 3_600_000);
    for (const [name, days, warning] of [
      ["Long", 30, undefined],
      ["Short", 29, "It expires in 29 days."],
      ["Today", 0, "It expires within a day."],
      ["Gone", -1, "It has expired: applications refuse what this provider signs."],
    ] as const) {
      const dates = { notBeforeDate: day(-60), notAfterDate: day(days) };
      const { cert } = await generate([{ name: "commonName", value: name }], { keyType: "ec", ...dates });
      await add(page, "an identity provider", name);
      await page.getByRole("textbox", { name: "Sign-on address" }).fill("https://sso.example/saml");
      await page.getByRole("textbox", { name: "Certificate" }).fill(cert);
      await saved(page);
      await page.getByRole("button", { name: `Edit the identity provider ${name}` }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("Valid from").waitFor();
      expect(await dialog.getByText(/^It (has )?expire/).allTextContents()).toEqual(
        warning === undefined ? [] : [warning],
      );
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    }
  });
});

describeConsole("Zones", DOCUMENT, ({ open }) => {
  it("adds one, and says which line is wrong and why", async () => {
    const page = await open("/zones");
    await row(page, "Office").getByText("1 gateway: 192.0.2.0/24 · 1 proxy: 198.51.100.1-198.51.100.9").waitFor();
    await add(page, "a zone", "Branch");
    await page.getByRole("textbox", { name: "Gateways" }).fill("192.0.2.0/24\n\n10.0.0.0/33\n10.0.0.9-10.0.0.1");
    await page.getByRole("textbox", { name: "Proxies" }).fill("10.0.0.0/7");
    await save(page);
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/^Line 3: "10\.0\.0\.0\/33" must end/).waitFor();
    await dialog.getByText(/^Line 4: "10\.0\.0\.9-10\.0\.0\.1" ends/).waitFor();
    await dialog.getByText(/^Line 1: "10\.0\.0\.0\/7" has more addresses than a \/8/).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("textbox", { name: "Gateways" }).fill("192.0.2.0/24\n 2001:db8::1 \n");
    await page.getByRole("textbox", { name: "Proxies" }).fill("");
    await saved(page);
    await row(page, "Branch").getByText("2 gateways: 192.0.2.0/24, 2001:db8::1").waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  it("keeps one that a rule asks for", async () => {
    const page = await open("/zones");
    await page.getByRole("button", { name: "Edit the zone Office" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Employees (place 1)").waitFor();
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await dialog.getByRole("button", { name: "Delete the zone" }).click();
    await dialog.getByText(/^The rule "Employees"/).waitFor();
  });

  it("shows both versions when two people change one", async () => {
    const [mine, theirs] = [await open("/zones"), await open("/zones")];
    for (const page of [mine, theirs]) {
      await page.getByRole("button", { name: "Edit the zone Home" }).click();
      await nameField(page).waitFor();
    }
    await theirs.getByRole("textbox", { name: "Gateways" }).fill("203.0.113.1");
    await saved(theirs);
    await mine.getByRole("textbox", { name: "Gateways" }).fill("203.0.113.2\n\n");
    await save(mine);
    const choice = mine.getByRole("radiogroup", { name: "Gateways" });
    await choice.getByText("203.0.113.1", { exact: true }).waitFor();
    await choice.getByText("203.0.113.2", { exact: true }).waitFor();
    await mine.getByRole("button", { name: "Take the zone as it is now" }).click();
    await mine.getByText("Somebody else changed").waitFor({ state: "detached" });
    await expect(mine.getByRole("textbox", { name: "Gateways" }).inputValue()).resolves.toBe("203.0.113.1");
  });
});

describeConsole("Trusted origins", { orgs: [{ subdomain: "demo", name: "Demo" }] }, ({ open }) => {
  it("says what to do first; then adds, changes and deletes one", async () => {
    const page = await open("/origins");
    await page.getByText("No trusted origins yet").waitFor();
    await add(page, "a trusted origin", "Portal");
    await page.getByRole("textbox", { name: "Origin", exact: true }).fill("https://portal.example/path");
    await save(page);
    const dialog = page.getByRole("dialog");
    await dialog
      .getByText(/no path, no default port/)
      .first()
      .waitFor();
    await page.getByRole("textbox", { name: "Origin", exact: true }).fill("https://portal.example");
    await page.getByRole("checkbox", { name: "May call the API" }).uncheck();
    await save(page);
    await dialog.getByText("See What it may do.").waitFor();
    await page.getByRole("checkbox", { name: "May be returned to" }).check();
    expect(await findViolations(page)).toEqual([]);
    await saved(page);
    await row(page, "Portal").getByText("https://portal.example · may be returned to").waitFor();
    expect(await findViolations(page)).toEqual([]);

    await page.getByRole("button", { name: "Edit the trusted origin Portal" }).click();
    await page.getByRole("switch", { name: "The trusted origin is on" }).uncheck();
    await saved(page);
    await row(page, "Portal").getByText("Off").waitFor();
    await page.getByRole("button", { name: "Edit the trusted origin Portal" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("button", { name: "Delete the trusted origin" }).click();
    await page.getByText("No trusted origins yet").waitFor();
  });
});
