import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { send } from "./console-browser.js";
import type { MetadataServer } from "./metadata-server.js";

/* The jobs that the guide of the console counts the clicks of, and what one finds by them: on the page, and in the API. */

/** The table of the guide: how many clicks each job has. */
export const CLICKS: ReadonlyMap<string, number> = new Map(
  Array.from(
    /^## Clicks\n([^]*?)^## /m
      .exec(readFileSync(join(__dirname, "../../../docs/guides/console.md"), "utf8"))?.[1]
      ?.matchAll(/^\| (.+?) +\| +(\d+) \|$/gm) ?? [],
    ([, job = "", clicks]) => [job, Number(clicks)],
  ),
);

export interface Job {
  /** Its page, below `/console`. */
  readonly at: string;
  /** What was before; it does not count. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  readonly work: (page: Page, host: MetadataServer) => Promise<unknown>;
  /** Whether the server has done it. @param result of `work` */
  readonly isDone: (page: Page, result: unknown) => Promise<boolean>;
}

interface Named {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

interface Rule extends Named {
  readonly actions: { readonly idp: { readonly providers: readonly { readonly id?: string }[] } };
}

export const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
export const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
export const dialog = (page: Page) => page.getByRole("dialog");
export const closed = (page: Page) => dialog(page).waitFor({ state: "detached" });
/** What one sees of a switch: its input is hidden. */
export const track = (page: Page, name: string) => page.locator("label", { has: page.getByRole("switch", { name }) });

export async function policyOf(page: Page): Promise<string> {
  const [{ id }] = await send(page, "GET", "/policies?type=IDP_DISCOVERY");
  return `/policies/${id}`;
}
export const rulesOf = async (page: Page): Promise<Rule[]> =>
  send(page, "GET", `${await policyOf(page)}/rules?limit=200`);
export const find = async (page: Page, path: string, name: string): Promise<Named | undefined> =>
  ((await send(page, "GET", path)) as Named[]).find((one) => one.name === name);
export const addZone = async (page: Page, name: string) => {
  await send(page, "POST", "/zones", { name });
  await page.reload();
};

export async function statusOf(page: Page, ...names: string[]): Promise<(string | undefined)[]> {
  const rules = await rulesOf(page);
  return names.map((name) => rules.find((one) => one.name === name)?.status);
}

/** Whether all rules of these names lead to a provider, and to no other. */
export async function leadTo(page: Page, provider: string, ...names: string[]): Promise<boolean> {
  const { id } = (await find(page, "/idps", provider))!;
  const rules = (await rulesOf(page)).filter(({ name }) => names.includes(name));
  return (
    rules.length === names.length && rules.every(({ actions }) => actions.idp.providers.every((one) => one.id === id))
  );
}

/** Whether the page shows the rule that decides, as the server tells it. */
export async function isTraced(page: Page): Promise<boolean> {
  const resource = encodeURIComponent("svc:acct:joe@tried.example");
  const { match } = await send(page, "GET", `${await policyOf(page)}/trace?resource=${resource}`);
  return (await page.getByTestId("rule").textContent()) === match.name && match.name === "tried";
}

export async function centreOf(place: Locator): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await place.boundingBox())!;
  return { x: x + width / 2, y: y + height / 2 };
}

/** Counts the presses of the mouse that the page sees from now on: as many as clicks, and one for a drag. */
export async function countPresses(page: Page): Promise<() => Promise<number>> {
  await page.evaluate("window.presses = 0; addEventListener('pointerdown', () => window.presses++, true)");
  return () => page.evaluate("window.presses");
}
