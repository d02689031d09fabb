import type { Page } from "playwright-core";
import { describeConsole, findViolations } from "../support/console-browser.js";
import { CERTIFICATE, samlIdp } from "../support/documents.js";
import {
  ISSUER,
  LOOPBACK,
  oidcMetadata,
  samlMetadata,
  startMetadataServer,
  type MetadataServer,
} from "../support/metadata-server.js";

const DOCUMENT = { orgs: [{ subdomain: "demo", name: "Demo", idps: [samlIdp("Contoso")] }] };

const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const address = (page: Page) => field(page, "Address of its metadata, or its issuer");

async function begin(page: Page): Promise<void> {
  await button(page, "Add an identity provider").click();
}

async function save(page: Page): Promise<void> {
  await button(page, "Save").click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

describeConsole(
  "A new identity provider",
  DOCUMENT,
  ({ open }) => {
    let host: MetadataServer;
    beforeEach(async () => (host = await startMetadataServer(samlMetadata({ certificates: [CERTIFICATE] }))));
    afterEach(() => host.close());

    it("is there after three clicks and the address of its metadata", async () => {
      const page = await open("/idps");
      await begin(page);
      expect(await findViolations(page)).toEqual([]);
      await page.keyboard.insertText(host.url); // the field has the focus
      await button(page, "Read").click();
      await field(page, "Name").waitFor();
      await expect(page.locator("input:focus").inputValue()).resolves.toBe("idp.example.com");
      await expect(field(page, "Issuer").inputValue()).resolves.toBe(ISSUER);
      await expect(field(page, "Metadata address").inputValue()).resolves.toBe(host.url);
      await expect(field(page, "Certificate").inputValue()).resolves.toContain("BEGIN CERTIFICATE");
      await save(page);
      await page.getByText("SAML 2.0 · https://idp.example.com/sso/redirect").waitFor();
    });

    it("is read from an issuer, whose metadata is at its well-known address", async () => {
      host.respond((req, res) => {
        if (req.url === "/.well-known/openid-configuration") res.end(oidcMetadata());
        else res.writeHead(404).end();
      });
      const page = await open("/idps");
      await begin(page);
      await address(page).fill(new URL(host.url).origin);
      await button(page, "Read").click();
      await field(page, "Name").fill("Accounts");
      await expect(field(page, "Issuer").inputValue()).resolves.toBe(ISSUER);
      await expect(field(page, "Sign-on address").inputValue()).resolves.toBe("https://idp.example.com/authorize");
      await save(page);
      await page.getByText("OpenID Connect · https://idp.example.com/authorize").waitFor();
    });

    it("has a product's addresses and help, with what to fill in before it is read", async () => {
      const page = await open("/idps");
      await begin(page);
      await page.getByRole("combobox", { name: "Product" }).click();
      await page.getByRole("option", { name: "Microsoft Entra ID" }).click();
      await expect(address(page).inputValue()).resolves.toMatch(/\{tenant id\}\/federationmetadata\/2007-06\//);
      await page.getByText("The tenant id is in the overview of the tenant.", { exact: false }).waitFor();
      await button(page, "Read").click();
      await page.getByText("Fill in {tenant id} first").waitFor();
      expect(await findViolations(page)).toEqual([]);
      await page.keyboard.insertText("1234"); // in place of what is marked
      await expect(address(page).inputValue()).resolves.toContain("microsoftonline.com/1234/federation");
      await address(page).fill(host.url);
      await button(page, "Read").click();
      await expect(field(page, "Name").inputValue()).resolves.toBe("Microsoft Entra ID");
    });

    it("is read from a file that is chosen, or from its text", async () => {
      const page = await open("/idps");
      await begin(page);
      await page.getByText("From a file").click();
      const choosing = page.waitForEvent("filechooser");
      await button(page, "Metadata file").click();
      await (await choosing).setFiles({ name: "a.xml", mimeType: "application/xml", buffer: Buffer.from("<a/>") });
      await page.getByText("It can't be used: the metadata is no EntityDescriptor").waitFor();
      expect(await findViolations(page)).toEqual([]);
      await field(page, "Or paste its text").fill(oidcMetadata());
      await button(page, "Read").click();
      await expect(field(page, "Issuer").inputValue()).resolves.toBe(ISSUER);
      await expect(field(page, "Metadata address").inputValue()).resolves.toBe("");
      expect(host.requests).toHaveLength(0);
    });

    it("tells in words why an address can't be read", async () => {
      const page = await open("/idps");
      await begin(page);
      host.respond((req, res) => {
        if (req.url === "/metadata") res.end("<!doctype html><title>Sign in</title>");
        else res.writeHead(404).end();
      });
      await address(page).fill(host.url);
      await button(page, "Read").click();
      await page
        .getByText(
          "It can't be used: as metadata: this is a web page, not metadata; as an issuer: the host responds with 404",
        )
        .waitFor();
      await address(page).fill("http://idp.example.com");
      await button(page, "Read").click();
      await page.getByText("must be an https URL").waitFor();
    });
  },
  { metadataNetworks: LOOPBACK },
);
