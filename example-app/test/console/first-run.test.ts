import { describeConsole, findViolations, send } from "../support/console-browser.js";
import { rule, samlIdp } from "../support/documents.js";

describeConsole("An org that has nothing yet", { orgs: [{ subdomain: "demo", name: "Demo" }] }, ({ open }) => {
  it("has steps that tick themselves, until one puts them away", async () => {
    const page = await open();
    const steps = page.getByRole("region", { name: "First steps" });
    await steps.getByRole("link", { name: "Add a rule" }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await expect(steps.getByText("Done:").count()).resolves.toBe(0);
    await page.getByText("The rules decide, whether or not there is such an account.").waitFor();

    await steps.getByRole("link", { name: "Add an identity provider" }).click();
    await page
      .getByRole("dialog", { name: "Add an identity provider" })
      .getByRole("button", { name: "Read" })
      .waitFor();
    await page.goBack();

    const { id } = await send(page, "POST", "/idps", samlIdp("Contoso"));
    const [policy] = (await send(page, "GET", "/policies?type=IDP_DISCOVERY")) as [{ id: string }];
    const actions = { idp: { providers: [{ type: "SAML2", id: String(id) }] } };
    await send(page, "POST", `/policies/${policy.id}/rules`, { ...rule("Employees"), actions });
    await page.reload();
    await page.getByRole("textbox", { name: "Login" }).fill("joe@example.com");
    await steps.getByRole("listitem").filter({ hasText: "Done: Try a login" }).waitFor();
    await expect(steps.getByText("Done:").count()).resolves.toBe(3);
    expect(await findViolations(page)).toEqual([]);

    await steps.getByRole("button", { name: "Put away" }).click();
    await steps.waitFor({ state: "detached" });
    await page.reload();
    await page.getByTestId("provider").waitFor();
    await expect(steps.count()).resolves.toBe(0);
  });
});

const everyone = {
  ...rule("Everyone", "Contoso"),
  conditions: { userIdentifier: { type: "IDENTIFIER", patterns: [{ matchType: "SUFFIX", value: "contoso.example" }] } },
};

describeConsole(
  "An org that is set up",
  { orgs: [{ subdomain: "demo", name: "Demo", idps: [samlIdp("Contoso")], rules: [everyone] }] },
  ({ open }) => {
    it("has no steps, and a login to try that its first rule is for", async () => {
      const page = await open();
      await page.getByText("The rule Everyone is for everyone at contoso.example: try joe@contoso.example").waitFor();
      await expect(page.getByRole("region", { name: "First steps" }).count()).resolves.toBe(0);
    });
  },
);
