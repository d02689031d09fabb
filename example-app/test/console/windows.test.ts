import type { Page } from "playwright-core";
import { until } from "../../../test/support/until.js";
import { version } from "../../package.json";
import { describeConsole, findViolations } from "../support/console-browser.js";
import { rule, samlIdp, zone } from "../support/documents.js";

const DOCUMENT = {
  orgs: [
    {
      subdomain: "demo",
      name: "Demo",
      idps: [samlIdp("Contoso")],
      zones: Array.from({ length: 60 }, (_, i) => zone(`Office ${100 + i}`)),
      rules: [rule("Employees", "Contoso")],
    },
  ],
};

const PATHS =
  "/ /rules /tests /idps /zones /origins /users /tokens /log /history /transfer /rules/new /users/new".split(" ");

const IS_NARROW = "document.documentElement.scrollWidth <= window.innerWidth";

/** What scrolls beside the document: a drawer over the page may. */
const SCROLLERS = `[...document.querySelectorAll("body *")]
  .filter((element) => element.scrollHeight > element.clientHeight + 1 && element.clientHeight > 0)
  .filter((element) => /auto|scroll/.test(getComputedStyle(element).overflowY))
  .filter((element) => !element.matches(".mantine-Drawer-content"))
  .map((element) => element.outerHTML.slice(0, 100))`;

/** Rows of a list are measured when they show, which moves those below. Up to 0.1 counts as good (web.dev/cls). */
const MAX_SHIFT = 0.01;

/** How far what was there moved while the page loaded. */
const SHIFT = `new Promise((done) => {
  const read = (list) => list.getEntries().reduce((sum, { value, hadRecentInput }) => sum + (hadRecentInput ? 0 : value), 0);
  new PerformanceObserver((list) => done(read(list))).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(0), 200);
})`;

/** Motion that lasts longer than 0.01 s. */
const MOTION = `[...document.querySelectorAll("body *")].flatMap((element) => {
  const { transitionDuration, animationDuration } = getComputedStyle(element);
  return [transitionDuration, animationDuration].join(",").split(",").filter((text) => parseFloat(text) > 0.01);
})`;

/** Targets smaller than 24 by 24 that have another one nearer than 24 (WCAG 2.2, 2.5.8). Links in a sentence may, and the arrows of a number, which one can type. */
const SMALL_TARGETS = `(() => {
  const targets = [...document.querySelectorAll("button:not(.mantine-NumberInput-control), select, summary, a")]
    .filter((element) => element.checkVisibility() && getComputedStyle(element).display !== "inline")
    .map((element) => ({ element, box: element.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 1);
  const isNear = ({ box: a }, { box: b }) => {
    const [x, y] = [a.x + a.width / 2, a.y + a.height / 2];
    return Math.hypot(Math.max(b.left - x, 0, x - b.right), Math.max(b.top - y, 0, y - b.bottom)) < 12;
  };
  return targets
    .filter(({ box }) => box.width < 24 || box.height < 24)
    .filter((small) => targets.some((other) => other !== small && isNear(small, other)))
    .map(({ element }) => element.outerHTML.slice(0, 120));
})()`;

async function visitAll(page: Page, check: (path: string) => Promise<void>): Promise<void> {
  const base = page.url().replace(/\/console.*$/s, "/console");
  for (const path of PATHS) {
    await page.goto(base + path);
    const shown = path.endsWith("/new") ? page.getByRole("dialog") : page.getByRole("heading", { level: 1 });
    await shown.first().waitFor();
    await page.getByText("Loading", { exact: true }).waitFor({ state: "detached" });
    await check(path);
  }
}

describeConsole("Small windows", DOCUMENT, ({ open }) => {
  it.each([
    { width: 320, height: 256 },
    { width: 667, height: 375 },
  ])("scroll in one direction and in one place, at $width by $height", async (viewport) => {
    const page = await open("", { viewport });
    await visitAll(page, async (path) => {
      expect([path, await page.evaluate(IS_NARROW), await page.evaluate(SCROLLERS)]).toEqual([path, true, []]);
    });
    expect(await page.evaluate(`getComputedStyle(document.querySelector("header")).position`)).toBe("static");
    const drawer = await page.getByRole("dialog").boundingBox();
    expect(drawer?.width).toBe(viewport.width);
  });

  it("leave a list where it is while a record is open over it", async () => {
    const page = await open("/zones");
    await page.getByText("60 zones").waitFor();
    await page.evaluate("window.scrollTo(0, 2_000)");
    await page.getByRole("button", { name: "Edit the zone Office 130" }).click();
    await page.getByRole("textbox", { name: "Name", exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await page.evaluate("window.scrollY")).toBeGreaterThan(1_500);
    await page.getByRole("link", { name: "Users" }).click();
    await page.getByRole("heading", { name: "Users" }).waitFor();
    await until(async () => (await page.evaluate("window.scrollY")) === 0);
  });

  it("show the pages before the page, and hide them again with Escape", async () => {
    const page = await open("", { viewport: { width: 390, height: 700 } });
    await page.getByRole("heading", { level: 1 }).waitFor();
    const button = page.getByRole("button", { name: "Pages" });
    await button.press("Enter");
    await page.getByRole("navigation").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("link", { name: "Zones" }).focus();
    await page.keyboard.press("Escape");
    await until(() => page.evaluate(`document.activeElement.ariaLabel === "Pages"`));
    expect(await page.getByRole("navigation").count()).toBe(0);
  });
});

describeConsole("Every page", DOCUMENT, ({ client, open, visit }) => {
  it("moves next to nothing while it loads, has targets of 24 pixels, and no motion for who wants none", async () => {
    const page = await open("", { reducedMotion: "reduce" });
    await visitAll(page, async (path) => {
      const isStill = (await page.evaluate<number>(SHIFT)) < MAX_SHIFT;
      const found = [path, isStill, await page.evaluate(SMALL_TARGETS), await page.evaluate(MOTION)];
      expect(found).toEqual([path, true, [], []]);
    });
  });

  it("says by shapes what is on and where one is, where colours are the system's", async () => {
    const page = await open("/zones", { forcedColors: "active" });
    await page.getByText("60 zones").waitFor();
    const styleOf = (selector: string, name: string) =>
      page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${name}`);
    expect(await styleOf("nav [aria-current=page]", "outlineStyle")).toBe("solid");
    expect(await styleOf(".mantine-Switch-track", "borderTopStyle")).toBe("solid");
    expect(await styleOf(".mantine-Switch-track", "backgroundColor")).not.toBe(
      await styleOf("body", "backgroundColor"),
    );
  });

  it("shows its frame before the console is loaded, in the colours that one chose", async () => {
    const page = await open("", { colorScheme: "light" });
    await page.getByRole("button", { name: "Settings and help" }).press("Enter");
    await page.getByText(`Version ${version}`, { exact: true }).waitFor();
    await page.getByRole("heading", { name: "Try a login" }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("radio", { name: "Dark" }).check();
    await page.keyboard.press("Escape");
    await until(() => page.evaluate("document.activeElement.ariaLabel === 'Settings and help'"));
    const blocked = await visit("about:blank", { colorScheme: "light" });
    await blocked.route("**/assets/*.js", (route) => route.abort());
    for (const [chosen, colour] of [
      ["dark", "rgb(36, 36, 36)"],
      ["auto", "rgb(247, 249, 250)"],
    ]) {
      await blocked.addInitScript(`localStorage.setItem("mantine-color-scheme-value", "${chosen}")`);
      await blocked.goto(`${client().origin}/console`);
      await blocked.getByText("Loading…").waitFor();
      expect(await blocked.evaluate("getComputedStyle(document.body).backgroundColor")).toBe(colour);
    }
    await page.reload();
    await page.getByRole("heading", { name: "Try a login" }).waitFor();
    expect(await page.evaluate("document.documentElement.dataset.mantineColorScheme")).toBe("dark");
    await page.getByRole("button", { name: "Settings and help" }).click();
    await page.getByRole("radio", { name: "As the system" }).check();
    expect(await page.evaluate("document.documentElement.dataset.mantineColorScheme")).toBe("light");
  });
});
