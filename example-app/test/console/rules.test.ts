import type { Page } from "playwright-core";
import { until } from "../../../test/support/until.js";
import { describeConsole, findViolations, revokeAt, send } from "../support/console-browser.js";
import { oidcIdp, rule } from "../support/documents.js";

const DOCUMENT = {
  orgs: [
    {
      subdomain: "demo",
      name: "Demo",
      idps: [oidcIdp("Corporate"), oidcIdp("Partners")],
      rules: ["one", "two", "three"].map((name) => rule(name, "Corporate")),
    },
  ],
};

const namesOf = (page: Page) =>
  page
    .getByRole("listitem")
    .evaluateAll((rows) => rows.map((row) => /(one|two|three|four|Default Rule)/.exec(row.textContent)?.[0]));

describeConsole("Routing rules", DOCUMENT, ({ open, client }) => {
  it("says each rule in words", async () => {
    const page = await open("/rules");
    const row = page.getByRole("listitem").filter({ hasText: "two" });
    await row.getByText("If the login is at two.example or below → Corporate").waitFor();
    await page.getByText("Everyone → the org itself").waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  it("adds a rule, which decides at once", async () => {
    const page = await open("/rules");
    await page.getByRole("button", { name: "Add a rule" }).click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("four");
    await page.getByRole("textbox", { name: "Pattern 1" }).fill("four.example");
    await page.getByRole("combobox", { name: "Identity providers" }).click();
    await page.getByRole("option", { name: "Partners" }).click();
    await page.keyboard.press("Escape");
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("If the login is at four.example or below → Partners").waitFor();
    await page.getByRole("link", { name: "Try a login" }).click();
    await page.getByRole("textbox", { name: "Login" }).fill("joe@four.example");
    await page.getByTestId("provider").getByText("Partners").waitFor();
    await page.getByRole("link", { name: "Routing rules" }).click();
    await page.getByRole("button", { name: "Edit the rule four" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("button", { name: "Delete the rule" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByText("four.example").waitFor({ state: "detached" });
  });

  it("shows what the server finds wrong, at its field", async () => {
    const page = await open("/rules");
    await page.getByRole("button", { name: "Add a rule" }).click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("one");
    await page.getByRole("textbox", { name: "Pattern 1" }).fill("x");
    await page.getByRole("button", { name: "Save" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("The rule was not saved").waitFor();
    await dialog.getByText("See Identity providers.").waitFor();
    expect(await dialog.getByText(/actions|conditions/).count()).toBe(0);
    await dialog.getByRole("button", { name: "Copy the id of the request" }).waitFor();
  });

  it("saves what makes another rule unreachable, after a question", async () => {
    const page = await open("/rules");
    await page.getByRole("button", { name: "Edit the rule one" }).click();
    await page.getByRole("textbox", { name: "Pattern 1" }).fill("example");
    await page.getByRole("button", { name: "Save" }).click();
    const dialog = page.getByRole("dialog");
    const problem = dialog.getByRole("alert").getByText(/^"two" \(priority 2\) can't be reached: /);
    await problem.waitFor();
    const { y = -1 } = (await problem.boundingBox()) ?? {};
    expect([y > 0, y < page.viewportSize()!.height]).toEqual([true, true]); // beside the button, however far it is
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Save anyway" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("If the login is at example or below → Corporate").waitFor();
  });

  it("shows what may be wrong beside a rule, with a login that shows it", async () => {
    const page = await open("/rules");
    const shadowed = page.getByRole("listitem").filter({ hasText: "two" });
    await shadowed.locator("[data-finding=UNREACHABLE]").waitFor();
    await page.getByRole("checkbox", { name: "Only with warnings (2)" }).click();
    expect(await namesOf(page)).toEqual(["two", "three"]);
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("checkbox", { name: "Only with warnings" }).click();
    await page.getByRole("button", { name: "Edit the rule one" }).click();
    const findings = page.getByRole("group", { name: "What may be wrong with this rule" });
    const link = findings.getByRole("link", { name: /^Try / });
    const login = (await link.textContent())!.replace("Try ", "");
    await link.click();
    await page.getByText("signs in at").waitFor();
    expect(await page.getByRole("textbox", { name: "Login" }).inputValue()).toBe(login);
    expect(await page.getByTestId("rule").textContent()).toBe("one");
  });

  it("counts the logins of each rule and provider", async () => {
    const store = await client().openStore();
    const { id } = (await store.findOrgBySubdomain("demo"))!;
    const page = await open("/rules");
    const [policy] = await send(page, "GET", "/policies?type=IDP_DISCOVERY");
    const rules = await send(page, "GET", `/policies/${policy.id}/rules`);
    const idps = await send(page, "GET", "/idps");
    const hours = Object.fromEntries(Array.from({ length: 24 }, (_, hour) => [`h${hour}`, 0]));
    const rows = [2, 10, 60].map((days, index) => {
      const day = new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
      const key = { org_id: id, rule_id: rules[0].id, provider_id: idps[0].id, day };
      return { ...key, last: `${day}T23:00:00.000Z`, ...hours, h12: [1_000, 200, 30][index] };
    });
    await store.write(({ db }) =>
      db
        .insertInto("decision_counts")
        .values(rows as never)
        .execute(),
    );
    await store.close();
    await page.reload();
    const row = page.getByRole("listitem").filter({ hasText: "one" });
    await row.getByText("Logins: 0 in 24 hours, 1,000 in 7 days, 1,200 in 30 days").waitFor();
    await page.getByRole("listitem").filter({ hasText: "two" }).getByText("No login in 90 days").waitFor();
    await page.getByRole("link", { name: "Identity providers" }).click();
    await page.getByText("Logins: 0 in 24 hours, 1,000 in 7 days, 1,200 in 30 days").waitFor();
  });

  it("switches a rule off and on", async () => {
    const page = await open("/rules");
    const toggle = page.getByRole("switch", { name: "The rule two is on", disabled: false });
    await toggle.press("Space");
    await page.getByRole("listitem").filter({ hasText: "two" }).getByText("Off").waitFor();
    await toggle.press("Space");
    await page.getByRole("listitem").filter({ hasText: "two" }).getByText("Off").waitFor({ state: "detached" });
  });

  it("moves a rule by keyboard", async () => {
    const page = await open("/rules");
    await page.getByText("3.example").or(page.getByText("three.example")).first().waitFor();
    expect(await namesOf(page)).toEqual(["one", "two", "three", "Default Rule"]);
    const grip = page.getByRole("button", { name: "Move the rule one" });
    const moved = page.waitForResponse((response) => response.request().method() === "PUT");
    await grip.focus();
    await page.keyboard.press("Space");
    await page
      .getByText(/^(?:Picked up )?one, place 1 of 4$/)
      .first()
      .waitFor({ state: "attached" });
    const overAnother = page.getByText("one, place 2 of 4", { exact: true });
    for (let tries = 0; tries < 20 && (await overAnother.count()) === 0; tries++) {
      await page.keyboard.press("ArrowDown"); // the first one may come before the rows are measured
      await overAnother.waitFor({ state: "attached", timeout: 1_000 }).catch(() => undefined);
    }
    await page.keyboard.press("Space");
    expect((await moved).status()).toBe(200);
    await page.getByRole("listitem").first().getByText("two", { exact: true }).waitFor();
    expect(await namesOf(page)).toEqual(["two", "one", "three", "Default Rule"]);

    const message = page.getByRole("status").filter({ hasText: "Moved the rule one to place 2 of 4." });
    await message.getByRole("button", { name: "Undo" }).click();
    await until(async () => (await namesOf(page))[0] === "one");
  });

  it("does not overwrite what another editor has saved", async () => {
    const [mine, theirs] = [await open("/rules"), await open("/rules")];
    for (const page of [mine, theirs]) {
      await page.getByRole("button", { name: "Edit the rule three" }).click();
      await page.getByRole("textbox", { name: "Pattern 1" }).waitFor();
    }
    await theirs.getByRole("textbox", { name: "Pattern 1" }).fill("theirs.example");
    await theirs.getByRole("button", { name: "Save" }).click();
    await theirs.getByRole("listitem").getByText("theirs.example or below → Corporate").waitFor();
    await mine.getByRole("textbox", { name: "Pattern 1" }).fill("mine.example");
    await mine.getByRole("button", { name: "Save" }).click();
    await mine.getByText("Somebody else changed this rule meanwhile").waitFor();
    const logins = mine.getByRole("radiogroup", { name: "Which logins" });
    await logins.getByText("the login is at theirs.example or below", { exact: true }).waitFor();
    await logins.getByText("the login is at mine.example or below", { exact: true }).waitFor();
    await mine.getByText("Still to choose: Which logins").waitFor();
    expect(await findViolations(mine)).toEqual([]);
    await mine.getByRole("button", { name: "Take the rule as it is now" }).click();
    await mine.getByRole("textbox", { name: "Pattern 1" }).and(mine.locator('[value="theirs.example"]')).waitFor();
  });

  it("lets two editors choose field by field", async () => {
    const [mine, theirs] = [await open("/rules"), await open("/rules")];
    const patterns = ["a", "b", "c", "d"].map((name) => `${name}.example`);
    for (const page of [mine, theirs]) {
      await page.getByRole("button", { name: "Edit the rule three" }).click();
      for (const [i, pattern] of patterns.entries()) {
        if (i > 0) await page.getByRole("button", { name: "Or another pattern" }).click();
        await page.getByRole("textbox", { name: `Pattern ${i + 1}` }).fill(pattern);
      }
    }
    await theirs.getByRole("switch", { name: "The rule is on" }).uncheck();
    await theirs.getByRole("button", { name: "Save" }).click();
    await theirs.getByRole("dialog").waitFor({ state: "detached" });
    await mine.getByRole("textbox", { name: "Pattern 4" }).fill("mine.example");
    await mine.getByRole("combobox", { name: "Identity providers" }).click();
    await mine.getByRole("option", { name: "Partners" }).click();
    await mine.keyboard.press("Escape");
    await mine.getByRole("button", { name: "Save" }).click();
    const provider = mine.getByRole("radiogroup", { name: "Who signs them in" });
    await provider.getByRole("radio", { name: "As you changed it Corporate, then Partners", checked: true }).waitFor();
    const status = mine.getByRole("radiogroup", { name: "The rule is on" });
    await status.getByRole("radio", { name: "As it is now no", checked: true }).waitFor();
    const logins = mine.getByRole("radiogroup", { name: "Which logins" });
    await logins.getByText(/is at c\.example or below or is at d\.example or below$/).waitFor();
    await logins.getByText(/is at c\.example or below or is at mine\.example or below$/).click();
    expect(await findViolations(mine)).toEqual([]);
    await mine.getByRole("button", { name: "Save these values" }).click();
    await mine.getByRole("dialog").waitFor({ state: "detached" });
    const row = mine.getByRole("listitem").filter({ hasText: "three" });
    await row.getByText("Off").waitFor();
    await row.getByText(/or 1 more → Corporate, then Partners/).waitFor();
    await mine.getByRole("button", { name: "Edit the rule three" }).click();
    await mine.getByRole("textbox", { name: "Pattern 4" }).and(mine.locator('[value="mine.example"]')).waitFor();
  });

  it("keeps what one wrote when the session ends", async () => {
    const page = await open("/rules");
    await page.getByRole("button", { name: "Edit the rule three" }).click();
    await page.getByRole("textbox", { name: "Pattern 1" }).fill("unsaved.example");
    await revokeAt(page, client(), "**/api/v1/policies/*/rules/*");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Your session has ended").waitFor();
    await page.getByRole("textbox", { name: "Or paste an API token of this org" }).fill(await client().newToken());
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("What you wrote before is here again.").waitFor();
    await page.getByRole("textbox", { name: "Pattern 1" }).and(page.locator('[value="unsaved.example"]')).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Start over" }).click();
    await page.locator('[value="unsaved.example"]').waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Edit the rule three" }).click();
    await page.getByRole("textbox", { name: "Pattern 1" }).waitFor();
    expect(await page.getByText("What you wrote before is here again.").count()).toBe(0);
  });
});

const MANY = {
  orgs: [
    {
      subdomain: "demo",
      name: "Demo",
      idps: [oidcIdp("Corporate")],
      rules: Array.from({ length: 9_999 }, (_, i) => rule(`rule-${i + 1}`, "Corporate")),
    },
  ],
};

describeConsole("10,000 routing rules", MANY, ({ open }) => {
  it("are all there, few of them in the page", async () => {
    const page = await open("/rules");
    await page.getByText("10,000 rules").waitFor();
    expect(await page.getByRole("listitem").count()).toBeLessThan(60);
    await page.getByRole("textbox", { name: "Find a rule" }).fill("rule-9876");
    await page.getByText("If the login is at rule-9876.example or below → Corporate").waitFor();
  });
});
