import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArguments } from "../../check/command-line/parse.js";
import { OPTIONS } from "../../check/command-line/table.js";
import { CHECKS } from "../../check/rules/index.js";
import { run } from "./support/terminal.js";

const URL = "https://api.example.com/v1/users";
const SECRET = "a-secret-that-nobody-may-see";

describe("the command line", () => {
  it.each<[string, string[], string]>([
    ["no command", [], "Usage: etiquette check URL [options]; --help shows all."],
    ["another command", ["chek", URL], "Usage: etiquette check URL [options]; --help shows all."],
    ["no URL", ["check"], "Give one URL, such as https://api.example.com/v1/users."],
    ["two URLs", ["check", URL, URL], "Give one URL, such as https://api.example.com/v1/users."],
    ["no URL but a name", ["check", "api.example.com"], '"api.example.com" is no http: or https: URL.'],
    ["another scheme", ["check", "ftp://api.example.com"], '"ftp://api.example.com" is no http: or https: URL.'],
    ["a fragment", ["check", `${URL}#a`], "The URL has a fragment, which no request can send."],
    ["an unknown option", ["check", URL, "--lists", "/"], "Unknown option '--lists'."],
    ["an option twice", ["check", URL, "--json", "--json"], "--json comes twice."],
    ["an option without its value", ["check", URL, "--list"], "Option '--list <value>' argument missing."],
    ["a flag with a value", ["check", URL, "--json=1"], "Option '--json' does not take an argument."],
    [
      "a relative path",
      ["check", URL, "--list", "users"],
      '--list: "users" is no path; it begins with "/" and is percent-encoded.',
    ],
    [
      "a path with a space",
      ["check", URL, "--resource", "/a b"],
      '--resource: "/a b" is no path; it begins with "/" and is percent-encoded.',
    ],
    [
      "an empty path",
      ["check", URL, "--list", ""],
      '--list: "" is no path; it begins with "/" and is percent-encoded.',
    ],
    ["--writable alone", ["check", URL, "--writable", "/a"], "--writable needs --write."],
    ["--method alone", ["check", URL, "--method", "PUT"], "--method needs --writable."],
    ["--body alone", ["check", URL, "--body", __filename], "--body: "],
    ["--field alone", ["check", URL, "--field", "/a"], "--field needs --writable."],
    ["--filter alone", ["check", URL, "--filter", "a pr"], "--filter needs --list."],
    ["an empty filter", ["check", URL, "--list", "/a", "--filter", ""], "--filter is empty."],
    [
      "another method",
      ["check", URL, "--write", "--writable", "/a", "--method", "DELETE"],
      '--method: "DELETE" is none of PUT, POST, PATCH.',
    ],
    [
      "no pointer",
      ["check", URL, "--write", "--writable", "/a", "--field", "name"],
      '--field: "name" is no JSON Pointer, such as /profile/nickName.',
    ],
    [
      "no origin",
      ["check", URL, "--origin", "app.example.com"],
      '--origin: "app.example.com" is no origin as browsers send it',
    ],
    [
      "an unknown rule",
      ["check", URL, "--rules", "S3,ZZ99"],
      '--rules: there is no check for "ZZ99". The rules are A2, ',
    ],
    ["a rule that is near one", ["check", URL, "--rules", "nosnif"], '"nosnif". Did you mean nosniff?'],
    [
      "a part of a name",
      ["check", URL, "--skip", "cursor"],
      "Did you mean cursor-forged, cursor-changed, cursor-readable?",
    ],
    ["a severity that is near one", ["check", URL, "--skip", "secrity"], "Did you mean security?"],
    ["an empty list of rules", ["check", URL, "--rules", ""], '--rules: there is no check for "".'],
    [
      "a format that isn't there",
      ["check", URL, "--format", "xml"],
      '--format: "xml" is none of text, json, sarif, junit, markdown.',
    ],
    ["two formats", ["check", URL, "--json", "--format", "json"], "--json and --format exclude each other."],
    [
      "another severity",
      ["check", URL, "--fail-on", "all"],
      '--fail-on: "all" is none of style, interoperability, security.',
    ],
    ["--update-baseline alone", ["check", URL, "--update-baseline"], "--update-baseline needs --baseline."],
    [
      "a baseline that is not there",
      ["check", URL, "--baseline", "/nowhere"],
      "can't be read (ENOENT); --update-baseline writes one.",
    ],
    ["a baseline that is none", ["check", URL, "--baseline", __filename], "is no baseline of version 1."],
    [
      "a description that is not there",
      ["check", URL, "--openapi", "/nowhere"],
      '--openapi: "/nowhere" can\'t be read (ENOENT).',
    ],
    [
      "a description at an address with a fragment",
      ["check", URL, "--openapi", `${URL}#a`],
      "--openapi: The URL has a fragment",
    ],
    ["nothing left", ["check", URL, "--rules", "S4", "--skip", "S"], "--rules and --skip leave no check."],
    ["--ca for http", ["check", "http://localhost", "--ca", __filename], "--ca needs an https: URL."],
    ["a file that is not there", ["check", URL, "--ca", "/nowhere"], '--ca: "/nowhere" can\'t be read (ENOENT).'],
    [
      "a header without a colon",
      ["check", URL, "--header", SECRET],
      'Header 1 is not of the form "Name: value" in latin1.',
    ],
    [
      "a header with a line feed",
      ["check", URL, "--header", `A: ${SECRET}\nB: c`],
      'Header 1 is not of the form "Name: value" in latin1.',
    ],
    [
      "a header without a value",
      ["check", URL, "--header", "A:"],
      'Header 1 is not of the form "Name: value" in latin1.',
    ],
    ["a header of the checks", ["check", URL, "--header", "Host: a"], "The checks set Host themselves."],
    [
      "a file of headers that is not there",
      ["check", URL, "--header", "@/nowhere"],
      '--header: "/nowhere" can\'t be read (ENOENT).',
    ],
  ])("%s: exit 2 and one line", async (_title, args, message) => {
    const { code, out, error } = await run(args);
    expect([code, out]).toEqual([2, ""]);
    expect(error).toMatch(/^etiquette: [^\n]+\n$/);
    expect(error).toContain(message);
    expect(error).not.toContain(SECRET);
  });

  it("refuses credentials in the URL, and doesn't repeat them", async () => {
    const { code, error } = await run(["check", `https://joe:${SECRET}@api.example.com`]);
    expect([code, error]).toEqual([2, expect.stringContaining("The URL has credentials")]);
    expect(error).not.toContain(SECRET);
  });

  it.each([
    ["--rate", 1000],
    ["--timeout", 600],
    ["--time-limit", 86_400],
  ])("%s is an integer from 1 to %d", async (option, max) => {
    for (const value of ["0", "-1", "1.5", "1e1", "", "x", String(max + 1)]) {
      const { code, error } = await run(["check", URL, `${option}=${value}`]);
      expect([code, error]).toEqual([2, expect.stringContaining(`is no integer from 1 to ${max}.`)]);
    }
    for (const value of [1, max - 1, max]) {
      expect(() => parseArguments([URL, `${option}=${value}`])).not.toThrow();
    }
  });

  it("takes at most 50 headers", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "etiquette-arguments-"));
    const parse = (count: number): number => {
      writeFileSync(path.join(folder, "headers"), "A: b\n".repeat(count));
      return parseArguments([URL, "--header", `@${path.join(folder, "headers")}`]).plan.headers.length;
    };
    expect([parse(49), parse(50)]).toEqual([49, 50]);
    expect(() => parse(51)).toThrow("There are more than 50 headers.");
    rmSync(folder, { recursive: true });
  });

  it("--help shows every option", async () => {
    const { code, out } = await run(["check", "--help"]);
    expect(code).toBe(0);
    for (const option of Object.keys(OPTIONS)) expect(out).toContain(`  --${option} `);
  });

  it("--rules takes rules, their letters and ids; --skip leaves them out", () => {
    const idsOf = (...args: string[]): string[] => parseArguments([URL, ...args]).checks.map(({ id }) => id);
    expect(idsOf()).toEqual(CHECKS.map(({ id }) => id));
    expect(idsOf("--rules", "walk,S6")).toEqual(["nosniff", "walk"]);
    expect(idsOf("--rules", "D")).toEqual(["request-id", "request-id-unique", "request-id-forged"]);
    expect(idsOf("--rules", "D", "--skip", "D1")).toEqual(["request-id-forged"]);
    expect(idsOf("--rules", "D", "--skip", "style")).toEqual(["request-id-forged"]);
    expect(idsOf("--rules", "security")).toEqual(
      CHECKS.filter(({ severity }) => severity === "security").map(({ id }) => id),
    );
  });
});
