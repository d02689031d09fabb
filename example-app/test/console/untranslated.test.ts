/** @jest-environment node */
import type { Page } from "playwright-core";
import * as german from "../../console/src/texts/de/index.js";
import { describeConsole, send } from "../support/console-browser.js";
import { rule, samlIdp, trustedOrigin, user, zone } from "../support/documents.js";
import { readEnglish, type TextRoom } from "../support/english-texts.js";

const DOCUMENT = {
  orgs: [
    {
      subdomain: "demo",
      name: "Demo",
      idps: [samlIdp("Contoso")],
      zones: [zone("Office")],
      trustedOrigins: [trustedOrigin("Portal")],
      rules: [rule("employees", "Contoso"), rule("others", "Contoso")],
      users: [user("joe@contoso.example")],
    },
  ],
};

const LISTS = [
  "/",
  "/rules",
  "/tests",
  "/idps",
  "/zones",
  "/origins",
  "/users",
  "/tokens",
  "/log",
  "/history",
  "/transfer",
];

/** What a person sees or hears: texts, labels, hints. */
const SHOWN = `[...document.querySelectorAll("body *")].flatMap((element) => [
  ...[...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data.trim()),
  ...["aria-label", "placeholder", "title"].map((name) => element.getAttribute(name) ?? ""),
])`;

const rooms: Readonly<Record<string, TextRoom>> = german;

const GERMAN = new Set(Object.values(rooms).flatMap((room) => Object.values(room)));

/** English texts that no German one is the same as. */
const ENGLISH = new Set(
  Object.values(readEnglish())
    .flatMap((room) => Object.values(room))
    .filter((text) => typeof text === "string" && !text.includes("{") && !GERMAN.has(text)),
);

async function listForms(page: Page): Promise<string[]> {
  const [policy] = (await send(page, "GET", "/policies?type=IDP_DISCOVERY")) as { id: string }[];
  const lists = [
    ["/rules", `/policies/${policy?.id ?? ""}/rules`],
    ["/idps", "/idps"],
    ["/zones", "/zones"],
    ["/origins", "/trustedOrigins"],
    ["/users", "/users"],
  ] as const;
  const forms = lists.map(async ([path, list]) => {
    const [first] = (await send(page, "GET", list)) as { id: string }[];
    return [`${path}/new`, `${path}/${first?.id ?? ""}`];
  });
  return (await Promise.all(forms)).flat();
}

describeConsole("A page in German", DOCUMENT, ({ client, open }) => {
  it("has no English text on it", async () => {
    expect(ENGLISH.size).toBeGreaterThan(300);
    const page = await open("", { locale: "de-DE" });
    for (const path of [...LISTS, "/?login=joe@employees.example", ...(await listForms(page))]) {
      await page.goto(`${client().origin}/console${path}`);
      await page.getByRole("heading", { level: 1 }).or(page.getByRole("dialog")).first().waitFor();
      await page.waitForLoadState("networkidle", { timeout: 3_000 }).catch(() => undefined); // the log is never idle
      const shown = await page.evaluate<string[]>(SHOWN);
      expect({ path, left: shown.filter((text) => ENGLISH.has(text)) }).toEqual({ path, left: [] });
    }
  });
});
