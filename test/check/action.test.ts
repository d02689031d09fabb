import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parse } from "yaml";
import { parseArguments } from "../../check/command-line/parse.js";

const ROOT = path.join(__dirname, "../..");

interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly shell?: string;
  readonly env?: Record<string, string>;
  readonly run?: string;
  readonly with?: Record<string, string>;
}

interface Action {
  readonly inputs: Record<string, { description: string; required?: boolean; default?: string }>;
  readonly outputs: Record<string, { value: string }>;
  readonly runs: { using: string; steps: Step[] };
}

const action = parse(readFileSync(path.join(ROOT, ".github/actions/check/action.yml"), "utf8")) as Action;
const [step = {}] = action.runs.steps;

/** The expressions of the step, with these inputs. */
function environmentOf(inputs: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(step.env ?? {}).map(([name, expression]) => {
      const [, input = ""] = /^\$\{\{ inputs\.([a-z-]+) \}\}$/.exec(expression) ?? [];
      return [name, inputs[input] ?? action.inputs[input]?.default ?? ""];
    }),
  );
}

describe("the action", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "etiquette-action-"));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  /** Run the script of its step, with a command in place of npx that writes its arguments and ends with `code`. */
  function runStep(inputs: Record<string, string>, code = 0) {
    const file = (name: string) => path.join(folder, name);
    writeFileSync(
      file("npx"),
      `#!/bin/sh\nfor a in "$@"; do printf '%s\\n' "$a"; done > "${file("args")}"\necho the report\nexit ${code}\n`,
    );
    chmodSync(file("npx"), 0o755);
    const { status, stdout } = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", step.run ?? ""], {
      encoding: "utf8",
      env: {
        ...environmentOf(inputs),
        PATH: `${folder}:${process.env["PATH"] ?? ""}`,
        RUNNER_TEMP: folder,
        GITHUB_OUTPUT: file("output"),
        GITHUB_STEP_SUMMARY: file("summary"),
      },
    });
    const read = (name: string) => {
      try {
        return readFileSync(file(name), "utf8");
      } catch {
        return "";
      }
    };
    return {
      status,
      stdout,
      args: read("args").split("\n").slice(0, -1),
      output: read("output"),
      summary: read("summary"),
    };
  }

  it("is composite, and takes what the page says", () => {
    expect(action.runs.using).toBe("composite");
    expect(action.runs.steps.map(({ shell, run }) => [shell, run?.includes("${{")])).toEqual([["bash", false]]);
    expect(Object.keys(action.inputs)).toEqual(["url", "openapi", "format", "baseline", "fail-on"]);
    expect(Object.values(action.outputs).map(({ value }) => value)).toEqual([
      `\${{ steps.${step.id} }}`.replace(" }}", ".outputs.report }}"),
      `\${{ steps.${step.id} }}`.replace(" }}", ".outputs.exit-code }}"),
    ]);
  });

  it("gives the command what it understands, and the report to the summary", () => {
    const { status, args, output, summary } = runStep({ url: "https://api.example.com/v1/users" });
    expect(args.slice(0, 3)).toEqual(["--yes", "etiquette", "check"]);
    expect(parseArguments(args.slice(3))).toMatchObject({ format: "markdown", failOn: "style", baseline: undefined });
    expect([status, summary]).toEqual([0, "the report\n"]);
    expect(output).toMatch(/^report=.*\nexit-code=0\n$/);
  });

  it("gives it every input as one argument, and ends as it does", () => {
    const inputs = {
      url: "https://api.example.com/$(touch x);a b",
      openapi: "a b.json",
      format: "junit",
      baseline: "c'd.json",
      "fail-on": "security",
    };
    const { status, args, stdout, summary, output } = runStep(inputs, 4);
    const { openapi, baseline, format, failOn, plan } = parseArguments(args.slice(3));
    expect({ openapi, baseline, format, "fail-on": failOn }).toEqual({ ...inputs, url: undefined });
    expect(plan.url.href).toBe("https://api.example.com/$(touch%20x);a%20b");
    expect([status, stdout, summary]).toEqual([4, "the report\n", ""]);
    expect(output).toContain("exit-code=4\n");
  });

  it("is used by the workflow of the page with inputs that it has", () => {
    const page = readFileSync(path.join(ROOT, "docs/reference/check.md"), "utf8");
    const [, text = ""] = /^```yaml\n([^]*?)^```$/m.exec(page) ?? [];
    const { jobs } = parse(text) as { jobs: Record<string, { steps: Step[] }> };
    const steps = Object.values(jobs).flatMap(({ steps }) => steps);
    const used = steps.filter(({ uses }) => uses?.includes("/.github/actions/check"));
    expect(used).toHaveLength(1);
    for (const name of Object.keys(used[0]?.with ?? {})) expect(Object.keys(action.inputs)).toContain(name);
  });
});
