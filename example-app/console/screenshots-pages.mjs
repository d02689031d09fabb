import { join } from "node:path";

const DESK = { viewport: { width: 1280, height: 860 }, colorScheme: "light" };

const VIEWS = {
  light: DESK,
  dark: { ...DESK, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: "light", isMobile: true, hasTouch: true },
};

/** How long a page may go on loading, in milliseconds. The log never ends: it follows what happens. */
const PATIENCE = 3_000;

/** The pages that no menu has: the answer to a login, forms, and one that is not there. */
const OTHERS = {
  "try-a-login-answer": "/console?login=ann%40northwind.example&ip=203.0.113.9",
  "rules-new": "/console/rules/new",
  "idps-new": "/console/idps/new",
  "zones-new": "/console/zones/new",
  "origins-new": "/console/origins/new",
  "users-new": "/console/users/new",
  "not-found": "/console/nothing",
};

/**
 * Takes every page of the console, one record of each list, and the page to sign in, in light, in dark and on a phone.
 *
 * @param cookies those of a session
 * @param folder where `rules-dark.png` and so on are written
 */
export async function takePages(browser, { origin, cookies, folder }) {
  for (const [view, options] of Object.entries(VIEWS)) {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, ...options });
    const page = await context.newPage();
    const take = async (name, path) => {
      await page.goto(origin + path);
      await page.locator("h1, [role=dialog], main a").first().waitFor();
      await page.waitForLoadState("networkidle", { timeout: PATIENCE }).catch(() => undefined);
      const fullPage = (await page.getByRole("dialog").count()) === 0; // one scrolls by itself
      await page.screenshot({ path: join(folder, `${name}-${view}.png`), animations: "disabled", fullPage });
    };

    await take("sign-in", "/console");
    await context.addCookies(cookies);
    await take("try-a-login", "/console");
    const paths = await readLinks(page, "nav a");
    for (const path of paths) {
      const name = path.replace(/^\/console\/?/, "");
      if (name === "") continue;
      await take(name, path);
      const record = (await readLinks(page, `main a[href^="${path}/"]`)).find((found) => !found.endsWith("/new"));
      if (record !== undefined) await take(`${name}-record`, record);
    }
    for (const [name, path] of Object.entries(OTHERS)) await take(name, path);
    await context.close();
  }
}

function readLinks(page, selector) {
  return page.locator(selector).evaluateAll((links) => links.map((link) => link.getAttribute("href")));
}
