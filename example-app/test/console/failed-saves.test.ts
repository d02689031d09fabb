import type { Page, Route } from "playwright-core";
import { until } from "../../../test/support/until.js";
import { describeConsole, findViolations, send } from "../support/console-browser.js";
import { rule, samlIdp, zone } from "../support/documents.js";

const profile = { login: "ann@contoso.example", email: "ann@contoso.example", firstName: "Ann", lastName: "Adams" };

const DOCUMENT = {
  orgs: [
    {
      subdomain: "demo",
      name: "Demo",
      idps: [samlIdp("Contoso")],
      zones: [zone("Office")],
      trustedOrigins: [{ name: "Portal", origin: "https://portal.example", scopes: [{ type: "CORS" }] }],
      rules: [rule("Employees", "Contoso")],
      users: [{ profile }],
    },
  ],
};

interface Form {
  readonly list: string;
  /** The name of the record in its row. */
  readonly name: string;
  /** The field that the test changes, and what it is called in the API. */
  readonly field: string;
  readonly refusal: string;
  /** Its path in the API, by its id. */
  readonly path: (page: Page, id: string) => Promise<string>;
  /** The record with another value than the form has, as somebody else writes it. */
  readonly change: (record: Record<string, unknown>, value: string) => object;
}

const named = (record: Record<string, unknown>, name: string) => ({ ...record, name });

const FORMS: readonly Form[] = [
  {
    list: "/rules",
    name: "Employees",
    field: "Name",
    refusal: "The rule was not saved",
    path: async (page, id) => {
      const [policy] = (await send(page, "GET", "/policies?type=IDP_DISCOVERY")) as { id: string }[];
      return `/policies/${policy?.id ?? ""}/rules/${id}`;
    },
    change: named,
  },
  {
    list: "/idps",
    name: "Contoso",
    field: "Name",
    refusal: "The identity provider was not saved",
    path: (_page, id) => Promise.resolve(`/idps/${id}`),
    change: named,
  },
  {
    list: "/zones",
    name: "Office",
    field: "Name",
    refusal: "The zone was not saved",
    path: (_page, id) => Promise.resolve(`/zones/${id}`),
    change: named,
  },
  {
    list: "/origins",
    name: "Portal",
    field: "Name",
    refusal: "The trusted origin was not saved",
    path: (_page, id) => Promise.resolve(`/trustedOrigins/${id}`),
    change: named,
  },
  {
    list: "/users",
    name: "Ann Adams",
    field: "Last name",
    refusal: "The user was not saved",
    path: (_page, id) => Promise.resolve(`/users/${id}`),
    change: (record, lastName) => ({ profile: { ...(record["profile"] as object), lastName } }),
  },
];

const answer = (status: number, errorSummary: string) => (route: Route) =>
  route.fulfill({
    status,
    contentType: "application/json",
    body: JSON.stringify({ errorCode: "E0000000", errorSummary, errorLink: "", errorId: "id-1", errorCauses: [] }),
  });

/** What the server or the connection does, and what the form says of it. */
const FAILURES: readonly (readonly [kind: string, answerTo: (route: Route) => Promise<void>, said: string])[] = [
  ["409", answer(409, "The record is in use."), "The record is in use."],
  ["503", answer(503, "Unavailable"), "The server can't do this now. Try again in a moment."],
  ["no connection", (route) => route.abort(), "The server can't be reached: check the connection."],
];

const isWrite = (route: Route) => ["PUT", "POST", "PATCH"].includes(route.request().method());

/** Answers each write of the page in this way, until it is called. */
async function failWrites(page: Page, answerTo: (route: Route) => Promise<void>): Promise<() => Promise<void>> {
  const handler = (route: Route) => (isWrite(route) && !isPreview(route) ? answerTo(route) : route.fallback());
  await page.route("**/api/v1/**", handler);
  return () => page.unroute("**/api/v1/**", handler);
}

const isPreview = (route: Route) => route.request().url().endsWith("/preview");

async function openForm(page: Page, name: string): Promise<void> {
  await page.getByRole("link", { name, exact: true }).click();
  await page.getByRole("button", { name: "Save", exact: true }).waitFor();
}

const saveButton = (page: Page) => page.getByRole("button", { name: "Save", exact: true });

describeConsole("A save that fails", DOCUMENT, ({ open }) => {
  it.each(FORMS)("is told beside Save, in view, with the focus, and nothing is lost: $list", async (form) => {
    const page = await open(form.list, { viewport: { width: 1_000, height: 500 } });
    await openForm(page, form.name);
    const field = page.getByRole("textbox", { name: form.field, exact: true });
    const before = await field.inputValue();
    await field.fill(`${before} 2`);
    for (const [kind, answerTo, said] of FAILURES) {
      const heal = await failWrites(page, answerTo);
      await saveButton(page).click();
      const refusal = page.locator(".refusal").filter({ hasText: form.refusal });
      await refusal.getByText(said).waitFor();
      await until(() => page.evaluate("document.activeElement.classList.contains('refusal')"));
      const [box, button] = await Promise.all([refusal.boundingBox(), saveButton(page).boundingBox()]);
      expect({ kind, top: (box?.y ?? -1) >= 0, bottom: (button?.y ?? 501) + (button?.height ?? 0) <= 500 }).toEqual({
        kind,
        top: true,
        bottom: true,
      });
      expect(await field.inputValue()).toBe(`${before} 2`);
      expect(await findViolations(page)).toEqual([]);
      await heal();
    }
    await saveButton(page).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("link", { name: `${form.name} 2`, exact: true }).waitFor();
  });

  it.each(FORMS)(
    "because somebody else was faster, shows what differs, and saves what one chooses: $list",
    async (form) => {
      const page = await open(form.list);
      const name = `${form.name} 2`;
      await openForm(page, name);
      const field = page.getByRole("textbox", { name: form.field, exact: true });
      const before = await field.inputValue();
      await field.fill("Mine");
      const path = await form.path(page, page.url().split("/").at(-1) ?? "");
      const stored = (await send(page, "GET", path)) as Record<string, unknown>;
      await send(page, "PUT", path, form.change(stored, "Theirs"));
      await saveButton(page).click();
      const choice = page.getByRole("radiogroup", { name: form.field });
      await choice.getByRole("radio", { name: /Theirs/ }).waitFor();
      expect(await findViolations(page)).toEqual([]);
      await choice.getByRole("radio", { name: /Mine/ }).check();
      await page.getByRole("button", { name: "Save these values" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      const after = JSON.stringify(await send(page, "GET", path));
      expect(after).toContain('"Mine"');
      expect(after).not.toContain(JSON.stringify(before));
    },
  );
});
