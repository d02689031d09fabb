import { Buffer } from "node:buffer";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";
import { takePages } from "./screenshots-pages.mjs";

/*
 * Takes the pictures of docs/images, or with `--pages FOLDER` every page, from a server of its own: npm run screenshots. It
 * needs Chromium.
 */

const FOLDER = import.meta.dirname;
const MAIN = join(FOLDER, "../dist/main.js");
const TAKES_PAGES = process.argv[2] === "--pages";
const IMAGES = process.argv[TAKES_PAGES ? 3 : 2] ?? join(FOLDER, "../../docs/images");
const SIZE = { width: 1280, height: 860 };

/** A file to import: an office, and a rule for who works there. */
const FILE = JSON.stringify(
  {
    orgs: [
      {
        subdomain: "demo",
        zones: [
          { name: "Branch offices", gateways: [{ type: "CIDR", value: "198.51.100.0/24" }] },
          { name: "Warehouse", gateways: [{ type: "CIDR", value: "203.0.113.64/26" }] },
        ],
        trustedOrigins: [{ name: "Portal", origin: "https://portal.northwind.example", scopes: [{ type: "CORS" }] }],
        rules: [
          {
            name: "Warehouse",
            conditions: { network: { connection: "ZONE", include: ["Warehouse"] } },
            actions: { idp: { providers: [{ idp: "Northwind employees" }] } },
          },
        ],
      },
    ],
  },
  null,
  2,
);

const data = mkdtempSync(join(tmpdir(), "etiquette-"));
const settings = ["--data", data, "--port", "0", "--log-level", "silent"];
// the server has the database of its folder and no settings of who runs this
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name !== "DATABASE_URL" && !name.startsWith("ETIQUETTE_")),
);
const run = (...args) => execFileSync(process.execPath, [MAIN, ...args], { encoding: "utf8", env });
run("import", join(FOLDER, "screenshots-data.json"), ...settings);

const server = spawn(process.execPath, [MAIN, ...settings], { stdio: ["ignore", "pipe", "inherit"], env });
const [line] = await once(createInterface(server.stdout), "line");
const { port } = new URL(line.split(" ").at(-1));
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"],
});
mkdirSync(IMAGES, { recursive: true });
try {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: SIZE, colorScheme: "light" });
  const page = await context.newPage();
  await page.goto(run("console", "--org", "demo", "--data", data, "--port", port).trim());
  await page.locator("nav").waitFor({ state: "attached" });
  if (TAKES_PAGES) {
    await takePages(browser, { origin: new URL(page.url()).origin, cookies: await context.cookies(), folder: IMAGES });
  } else await takeGuide(page);
} finally {
  await browser.close();
  server.kill();
  await once(server, "exit");
  rmSync(data, { recursive: true, force: true });
}

/** The pictures of the guide, as somebody works with the console. */
async function takeGuide(page) {
  const take = async (name) => {
    await page.mouse.move(SIZE.width / 2, 10); // over nothing that shows it
    await page.screenshot({ path: join(IMAGES, `${name}.png`), animations: "disabled" });
  };
  const choose = async (colours) => {
    await page.getByRole("button", { name: "Settings and help" }).click();
    await page.getByRole("radio", { name: colours }).check();
    await page.keyboard.press("Escape");
  };
  const post = (path, body) =>
    page.evaluate(
      ([url, text]) =>
        fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, body: text }).then(
          ({ ok }) => ok,
        ),
      [`/api/v1/${path}`, JSON.stringify(body)],
    );
  await page.getByRole("textbox", { name: "Login" }).fill("ext-kim@fabrikam.example");
  await page.getByTestId("provider").waitFor();
  await page.waitForTimeout(1_700); // the page remembers a login that stands so long
  await page.getByRole("textbox", { name: "Login" }).fill("ann@northwind.example");
  await page.getByText("ann@northwind.example signs in").waitFor();
  await take("try-a-login");
  await page.waitForTimeout(1_700);
  await choose("Dark");
  await page.getByRole("combobox", { name: "With the device" }).fill("iPhone");
  await page.getByRole("textbox", { name: "From the address" }).fill("203.0.113.9");
  await page.getByTestId("provider").getByText("Phones and tablets").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "203.0.113.9 · iPhone" }).waitFor();
  await take("try-a-login-dark");
  await choose("Light");

  await page.getByRole("link", { name: "Routing rules" }).click();
  await page.getByRole("button", { name: "Edit the rule Contoso" }).waitFor();
  await take("rules");
  await page.getByRole("button", { name: "Edit the rule Phones outside the offices" }).click();
  const isOn = page.getByRole("dialog").getByRole("switch", { name: "The rule is on" });
  await isOn.press("Space");
  await page.getByRole("region", { name: "Test logins" }).getByText("Northwind").first().waitFor();
  await page.getByRole("button", { name: "Save" }).scrollIntoViewIfNeeded();
  await take("rule");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Discard it" }).click();

  await page.getByRole("link", { name: "Users" }).click();
  await page.getByRole("link", { name: "Ann Ames" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Login" }).waitFor();
  await dialog.getByRole("textbox", { name: "Last name" }).fill("Ames-Berg");
  await dialog.getByRole("textbox", { name: "E-mail" }).fill("ann.ames-berg@northwind.example");
  const id = page.url().split("/").at(-1);
  await post(`users/${id}`, {
    profile: { email: "ann.ames@northwind.example", department: "Marketing", desk: "3-117" },
  });
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("Still to choose").waitFor();
  await take("user-conflict");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Discard it" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("Filter", { exact: true }).click();
  await page.getByRole("textbox", { name: "Filter" }).fill('status eq "ACTIVE" and profile.email co "ann"');
  await page.getByTestId("mistake").waitFor();
  await take("users-filter");

  await post("apiTokens", { name: "Nightly sync", scopes: ["svc.users.manage"], addresses: ["192.0.2.0/24"] });
  await post("apiTokens", { name: "Dashboard", scopes: ["svc.logs.read", "svc.policies.read"] });
  await page.getByRole("link", { name: "API tokens" }).click();
  await page.getByText("Nightly sync").waitFor();
  await take("tokens");

  await page.getByRole("link", { name: "Identity providers" }).click();
  await page.getByRole("button", { name: "Edit the identity provider Fabrikam acquisition" }).click();
  await page.getByRole("button", { name: "Show the metadata" }).click();
  await page.getByText("EntityDescriptor").first().waitFor();
  await page.getByRole("button", { name: "Delete" }).scrollIntoViewIfNeeded();
  await page.getByRole("dialog").evaluate((panel) => panel.scrollBy(0, -10)); // to the whole label of the first field
  await take("idp");
  await page.getByRole("button", { name: "Cancel" }).click();

  await page.getByRole("link", { name: "Import and export" }).click();
  const file = { name: "warehouse.json", mimeType: "application/json", buffer: Buffer.from(FILE) };
  await page.locator('input[type="file"]').setInputFiles(file);
  await page.getByText("The file would create or change").waitFor();
  await take("import");

  await post("org/import", JSON.parse(FILE));
  await page.getByRole("link", { name: "History" }).click();
  await page
    .getByRole("button", { name: /^Show revision/ })
    .first()
    .click();
  await page.getByText("Added the rule Warehouse").last().waitFor();
  await take("history");

  await page.getByRole("link", { name: "System Log" }).click();
  await page.getByText("created the token").first().waitFor();
  await take("log");
}
