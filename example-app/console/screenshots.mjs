import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

/* Takes the pictures of docs/images from a server of its own: npm run screenshots. It needs Chromium. */

const FOLDER = import.meta.dirname;
const MAIN = join(FOLDER, "../dist/main.js");
const IMAGES = process.argv[2] ?? join(FOLDER, "../../docs/images");
const SIZE = { width: 1280, height: 860 };

const data = mkdtempSync(join(tmpdir(), "etiquette-"));
const settings = ["--data", data, "--port", "0", "--log-level", "silent"];
const run = (...args) => execFileSync(process.execPath, [MAIN, ...args], { encoding: "utf8" });
run("import", join(FOLDER, "screenshots-data.json"), ...settings);

const server = spawn(process.execPath, [MAIN, ...settings], { stdio: ["ignore", "pipe", "inherit"] });
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
  const take = (name) => page.screenshot({ path: join(IMAGES, `${name}.png`), animations: "disabled" });
  const link = run("console", "--org", "demo", "--data", data, "--port", port).trim();

  await page.goto(link);
  await page.getByRole("textbox", { name: "Login" }).fill("ext-kim@fabrikam.example");
  await page.getByTestId("provider").waitFor();
  await page.waitForTimeout(1_700); // the page remembers a login that stands so long
  await page.getByRole("textbox", { name: "Login" }).fill("ann@northwind.example");
  await page.getByText("ann@northwind.example signs in").waitFor();
  await take("try-a-login");
  await page.waitForTimeout(1_700);
  await page.getByRole("button", { name: "Use dark colours" }).click();
  await page.getByRole("combobox", { name: "With the device" }).fill("iPhone");
  await page.getByLabel("From the address").fill("203.0.113.9");
  await page.getByTestId("provider").getByText("Phones and tablets").waitFor();
  await page.keyboard.press("Escape");
  await take("try-a-login-dark");
  await page.getByRole("button", { name: "Use light colours" }).click();

  await page.getByRole("link", { name: "Routing rules" }).click();
  await page.getByRole("button", { name: "Edit the rule Contoso" }).waitFor();
  await take("rules");
  await page.getByRole("button", { name: "Edit the rule Phones outside the offices" }).click();
  await page.getByRole("textbox", { name: "Name", exact: true }).waitFor();
  await take("rule");
  await page.getByRole("button", { name: "Cancel" }).click();

  await page.getByRole("link", { name: "System Log" }).click();
  await page.getByText("Create API token").first().waitFor();
  await take("log");
} finally {
  await browser.close();
  server.kill();
  await once(server, "exit");
  rmSync(data, { recursive: true, force: true });
}
