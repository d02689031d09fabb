import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findSecrets, type SecretSettings } from "../../../src/program/secrets/secrets.js";
import { makeFolder } from "../../support/stores.js";

const parent = makeFolder();
const warnings: unknown[] = [];
const log = { warn: (...line: unknown[]) => void warnings.push(line) };

beforeEach(() => {
  warnings.length = 0;
});

function newFolder(): string {
  return mkdtempSync(join(parent, "data-"));
}

function find(dataFolder: string, overrides: Partial<SecretSettings> = {}): Promise<readonly string[]> {
  return findSecrets({ secrets: [], dataFolder, databaseUrl: undefined, ...overrides }, log);
}

describe("findSecrets()", () => {
  it("makes a secret once, in a folder that may be missing, for its owner alone", async () => {
    const folder = join(newFolder(), "a/b");
    const [secret, ...others] = await find(folder);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(others).toEqual([]);
    expect(await find(folder)).toEqual([secret]);
    expect(readdirSync(folder)).toEqual(["secret.key"]);
    expect(statSync(join(folder, "secret.key")).mode & 0o777).toBe(0o600);
    expect(await find(newFolder())).not.toEqual([secret]);
  });

  it("makes one secret when several start at once", async () => {
    const folder = newFolder();
    const found = await Promise.all(Array.from({ length: 20 }, () => find(folder)));
    expect(new Set(found.flat()).size).toBe(1);
    expect(readdirSync(folder)).toEqual(["secret.key"]);
    expect(found[0]).toEqual([readFileSync(join(folder, "secret.key"), "utf8")]);
  });

  it("takes those that are set, and leaves the folder alone", async () => {
    const folder = newFolder();
    const secrets = ["new".repeat(11), "old".repeat(11)];
    expect(await find(folder, { secrets, databaseUrl: "postgres://db/x" })).toEqual(secrets);
    expect(readdirSync(folder)).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it("takes one that was put there, without white space around it", async () => {
    const folder = newFolder();
    writeFileSync(join(folder, "secret.key"), `${"s".repeat(32)}\n`);
    expect(await find(folder)).toEqual(["s".repeat(32)]);
  });

  it.each(["", "\n", "s".repeat(31), `${"s".repeat(31)}\n\n\n`])(
    "refuses a short one in one line: %j",
    async (text) => {
      const folder = newFolder();
      const file = join(folder, "secret.key");
      writeFileSync(file, text);
      await expect(find(folder)).rejects.toMatchObject({
        name: "SettingsError",
        message: `${file} must hold a secret of at least 32 bytes: put it back, or remove the file to have a new one made`,
      });
      expect(readFileSync(file, "utf8")).toBe(text);
    },
  );

  it("says in one line that it can't be read", async () => {
    const folder = newFolder();
    const file = join(folder, "secret.key");
    mkdirSync(file);
    await expect(find(folder)).rejects.toMatchObject({
      name: "SettingsError",
      message: expect.stringMatching(new RegExp(`^The secret ${file} can't be read or made: .+$`)),
    });
  });

  it("says in one line that it can't be made", async () => {
    const folder = newFolder();
    writeFileSync(join(folder, "file"), "");
    const file = join(folder, "file", "secret.key");
    await expect(find(join(folder, "file"))).rejects.toMatchObject({
      name: "SettingsError",
      message: expect.stringMatching(new RegExp(`^The secret ${file} can't be read or made: .+$`)),
    });
  });

  it("warns that other nodes need it, when there can be any", async () => {
    const folder = newFolder();
    await find(folder);
    expect(warnings).toEqual([]);
    const [secret] = await find(folder, { databaseUrl: "postgres://joe:hunter2@db/x" });
    expect(warnings).toEqual([
      [{ file: join(folder, "secret.key") }, expect.stringContaining("other nodes on the database need the same")],
    ]);
    expect(JSON.stringify(warnings)).not.toContain(secret);
    expect(JSON.stringify(warnings)).not.toContain("hunter2");
  });
});
