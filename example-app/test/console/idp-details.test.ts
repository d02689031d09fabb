import type { Page } from "playwright-core";
import { until } from "../../../test/support/until.js";
import { describeConsole, findViolations, send } from "../support/console-browser.js";
import { rule, samlIdp } from "../support/documents.js";
import { withMetadata } from "../support/metadata-idps.js";
import { LOOPBACK, samlMetadata, startMetadataServer, type MetadataServer } from "../support/metadata-server.js";

const elsewhere = {
  ...samlIdp("Elsewhere"),
  protocol: {
    ...samlIdp("Elsewhere").protocol,
    endpoints: { sso: { url: "https://sso.elsewhere.example/saml", binding: "HTTP-REDIRECT" } },
  },
};

const off = { ...samlIdp("Off"), status: "INACTIVE" };

const accounts = {
  name: "Accounts",
  type: "OIDC",
  protocol: {
    type: "OIDC",
    endpoints: { sso: { url: "https://accounts.example/authorize", binding: "HTTP-REDIRECT" } },
    credentials: { trust: { issuer: "https://accounts.example" } },
  },
};

const DOCUMENT = {
  orgs: [
    {
      subdomain: "demo",
      name: "Demo",
      idps: [samlIdp("Contoso"), elsewhere, off, accounts],
      rules: [rule("Employees", "Contoso"), rule("Partners", "Contoso"), rule("Others", "Accounts")],
      defaultRule: { actions: { idp: { providers: [{ idp: "Contoso" }] } } },
    },
  ],
};

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const group = (page: Page, name: string) => page.getByRole("group", { name });

async function edit(page: Page, name: string): Promise<void> {
  await button(page, `Edit the identity provider ${name}`).click();
  await page.getByRole("dialog").getByText("Used by these rules").waitFor();
}

/** The names of the rules that lead to a provider, and of the providers. */
async function readUses(page: Page): Promise<Record<string, string[]>> {
  const idps = (await send(page, "GET", "/idps")) as { id: string; name: string }[];
  const [policy] = (await send(page, "GET", "/policies?type=IDP_DISCOVERY")) as [{ id: string }];
  const rules = (await send(page, "GET", `/policies/${policy.id}/rules`)) as {
    name: string;
    actions: { idp: { providers: { id?: string }[] } };
  }[];
  const nameOf = (id?: string) => idps.find((idp) => idp.id === id)?.name ?? "";
  return Object.fromEntries(
    rules.map(({ name, actions }) => [name, actions.idp.providers.map(({ id }) => nameOf(id))]),
  );
}

describeConsole(
  "The details of an identity provider",
  DOCUMENT,
  ({ open }) => {
    let host: MetadataServer;
    beforeEach(async () => (host = await startMetadataServer(samlMetadata({ url: "https://new.example.com/sso" }))));
    afterEach(() => host.close());

    it("refreshes the metadata now, and tells what came of it", async () => {
      const page = await open("/idps");
      await send(page, "POST", "/idps", withMetadata("Fetched", host.url));
      await page.reload();
      await edit(page, "Fetched");
      await button(page, "Refresh now").click();
      await page.getByText("Took over the changed metadata of Fetched").waitFor();
      const signOn = page.getByRole("textbox", { name: "Sign-on address" });
      await until(async () => (await signOn.inputValue()) === "https://new.example.com/sso");
      await button(page, "Refresh now").click();
      await page.getByText("The metadata of Fetched is as before").waitFor();
      host.respond((_, res) => res.writeHead(503).end());
      await button(page, "Refresh now").click();
      await page.getByText("The metadata was not refreshed").waitFor();
      await page.getByText("the host responds with 503").waitFor();
      expect(await findViolations(page)).toEqual([]);
    });

    it("has what others need, and opens the sign-on page as people get there", async () => {
      const page = await open("/idps");
      await edit(page, "Elsewhere");
      const others = group(page, "For the provider and for applications");
      await others.getByText(`${new URL(page.url()).origin}/.well-known/webfinger`).waitFor();
      await others.getByText("svc:idp").waitFor();
      await expect(others.getByText("initiate_login_uri").count()).resolves.toBe(0);
      const opening = page.waitForEvent("popup");
      await others.getByRole("link", { name: "Test sign-on in a new tab" }).click();
      const popup = await opening;
      await popup.waitForURL("https://sso.elsewhere.example/saml");
      await popup.close();
      await button(page, "Close").click();

      await edit(page, "Accounts");
      await group(page, "For the provider and for applications").getByText("initiate_login_uri").waitFor();
      await button(page, "Close").click();

      await edit(page, "Off");
      await page.getByText("It is off, so no link leads there.").waitFor();
      await expect(page.getByRole("link", { name: "Test sign-on in a new tab" }).count()).resolves.toBe(0);
    });

    it("is replaced in all its rules after one question, and one Undo brings it back", async () => {
      const page = await open("/idps");
      const before = await readUses(page);
      await edit(page, "Contoso");
      await page.getByRole("combobox", { name: "Replace it by" }).click();
      await page.getByRole("option", { name: "Elsewhere" }).click();
      await button(page, "Replace in 3 rules").click();
      const question = page.getByRole("dialog", { name: "Replace Contoso by Elsewhere in 3 rules?" });
      await question.getByRole("link", { name: "Partners" }).waitFor();
      expect(await findViolations(page)).toEqual([]);
      await question.getByRole("button", { name: "Replace it" }).click();
      await page.getByText("Replaced Contoso by Elsewhere in 3 rules").waitFor();
      await page.getByRole("dialog").getByText("No rule uses it.").waitFor();
      const after = await readUses(page);
      expect(after).toEqual({
        ...before,
        Employees: ["Elsewhere"],
        Partners: ["Elsewhere"],
        "Default Rule": ["Elsewhere"],
      });
      await button(page, "Undo all").click();
      await page.getByText("The changes were taken back").waitFor();
      expect(await readUses(page)).toEqual(before);
    });
  },
  { metadataNetworks: LOOPBACK, metadataInterval: false },
);
