import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const JEST = require.resolve("jest/bin/jest");
const SUPPORT = path.join(__dirname, "support");

/** What each of two files tries: the last test changes what the first test of the other file would see. */
const TEST_FILE = `
const { appendFileSync } = require("node:fs");
const kept = require("../lib/kept.js");
const support = require("./support.js");

it("finds what every file finds", () => {
  appendFileSync(__dirname + "/runs", String(++kept.runs));
  expect(++support.runs).toBe(1);
  expect([typeof leaked, process.leaked, process.env.LEAKED, process.env.GIVEN]).toEqual(["undefined", undefined, undefined, "yes"]);
  expect(setTimeout).not.toHaveProperty("clock");
  expect(typeof fetch).toBe("function");
  expect(kept.describe(new TypeError("as ever"))).toBe("TypeError");
});
it("may not mock a module", () => {
  expect(() => jest.doMock("../lib/kept.js", () => ({}))).toThrow("@jest-environment node");
  expect(() => jest.resetModules()).toThrow("@jest-environment node");
});
it("may change what is global", () => {
  leaked = process.leaked = process.env.LEAKED = "yes";
  delete process.env.GIVEN;
  fetch = undefined;
  jest.useFakeTimers();
  jest.spyOn(kept, "describe").mockReturnValue("mocked");
});
`;

const ALONE = `/** @jest-environment node */
jest.doMock("../lib/kept.js", () => "mocked");
it("gets a mock", () => expect(require("../lib/kept.js")).toBe("mocked"));
`;

describe("the environment of the server's tests", () => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "environment-")));
  const write = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text);
  };

  beforeAll(() => {
    for (const name of ["lib", "test"]) mkdirSync(path.join(folder, name));
    write(
      "lib/kept.js",
      "module.exports = { runs: 0, describe: (e) => (e instanceof TypeError ? e.name : 'unknown') };",
    );
    write("test/support.js", "exports.runs = 0;");
    for (const name of ["first", "second"]) write(`test/${name}.test.js`, TEST_FILE);
    write("test/alone.test.js", ALONE);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  function runJest() {
    const config = {
      rootDir: folder,
      testEnvironment: path.join(SUPPORT, "environment.js"),
      runtime: path.join(SUPPORT, "runtime.js"),
      reporters: [path.join(SUPPORT, "summary-reporter.js")],
      transform: {},
    };
    const args = [JEST, "--runInBand", "--config", JSON.stringify(config)];
    const env = { ...process.env, GIVEN: "yes" };
    return spawnSync(process.execPath, args, { cwd: folder, env, encoding: "utf8" });
  }

  it("keeps modules from file to file, and nothing that a test changes", () => {
    const { stdout, stderr } = runJest();
    expect([stdout.trim().split("\n").at(-1), stderr]).toEqual(["7 passed, 0 failed", ""]);
    expect(readFileSync(path.join(folder, "test/runs"), "utf8")).toBe("12");
  });

  it("lets a test fail, and the tests of the next file run", () => {
    write(
      "test/failing.test.js",
      "it('fails', () => expect(1).toBe(2)); it('throws', async () => { throw new Error(); });",
    );
    const { stdout, status } = runJest();
    expect([stdout.trim().split("\n").at(-1), status]).toEqual(["7 passed, 2 failed", 1]);
  });

  it("names a test that passes at the second try, and tries none again of the next file", () => {
    const fails = "expect((globalThis.tries = (globalThis.tries ?? 0) + 1)).toBe(2)";
    write("test/failing.test.js", `jest.retryTimes(1, { retryImmediately: true }); it('is late', () => ${fails});`);
    write("test/once.test.js", `it('is late', () => ${fails});`);
    const { stdout } = runJest();
    expect(stdout.trim().split("\n").slice(-2)).toEqual([
      "Passed at the second try: test/failing.test.js: is late",
      "8 passed, 1 failed",
    ]);
  });
});

it("the files that run first are there", () => {
  const { LONGEST } = jest.requireActual<{ LONGEST: string[] }>("./support/longest-first.js");
  expect(LONGEST.filter((file) => !existsSync(path.join(__dirname, "..", file)))).toEqual([]);
});
