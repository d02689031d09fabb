/** @jest-environment node */
import { Session } from "node:inspector";
import path from "node:path";
import { setFlagsFromString } from "node:v8";

/* eslint-disable @typescript-eslint/no-require-imports -- the code is loaded after its steps are counted, and by tools in JavaScript */

interface Target {
  readonly name: string;
  readonly names: readonly string[];
  readonly run: (input: string) => unknown;
}

interface Growth {
  readonly attempt: (run: Target["run"], input: string) => void;
  readonly createTargets: (load: (room: string) => unknown) => Target[];
  readonly EXCUSED: Readonly<Record<string, readonly string[]>>;
}

interface Shape {
  readonly name: string;
  readonly isFramed: boolean;
  readonly make: (length: number) => string;
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
}

const LIB = path.join(__dirname, "../lib");

/** In characters. `npm run torture -- growth` tries a megabyte, and counts time, in which the work of V8 itself is too. */
const [SMALL, LARGE] = [1_024, 8_192];

/** How many more steps a character may take in the large input. */
const MAX_GROWTH = 2;

/** Steps that a call takes whatever its input is. */
const CONSTANT = 2_000;

const session = new Session();
let growth: Growth;
let targets: readonly Target[];
let shapes: readonly Shape[];

/** The result of a command of the inspector, which is there at once. */
function post(method: string, parameters: object = {}): unknown {
  let found: unknown;
  session.post(method, parameters, (error, result) => {
    if (error) throw error;
    found = result;
  });
  return found;
}

beforeAll(() => {
  setFlagsFromString("--no-compilation-cache"); // what V8 keeps of code that ran before counts calls only
  session.connect();
  post("Profiler.enable");
  post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  growth = require("../tools/torture/growth/targets.js") as Growth;
  const all = require("../tools/torture/growth/shapes.js") as { shapes: readonly Shape[] };
  shapes = all.shapes.filter(({ isFramed }) => !isFramed); // the others are for torture
  targets = growth.createTargets((room) => require(path.join(LIB, room, "index.ts")));
});

afterAll(() => {
  post("Profiler.stopPreciseCoverage");
  session.disconnect();
});

/** How often blocks of the package's code run in `work`: the same in every run. */
function countSteps(work: () => void): number {
  post("Profiler.takePreciseCoverage"); // begins again from 0
  work();
  const { result } = post("Profiler.takePreciseCoverage") as Coverage;
  const counts = result
    .filter(({ url }) => url.includes(LIB))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)));
  return counts.reduce((sum, count) => sum + count, 0);
}

function stepsOf({ run }: Target, used: readonly Shape[], length: number): number {
  return countSteps(() => {
    for (const shape of used) growth.attempt(run, shape.make(length));
  });
}

it("every exported function is tried, or has a reason why not", () => {
  const exported = Object.entries(require("../index.js") as Record<string, unknown>)
    .filter(([, value]) => typeof value === "function")
    .map(([name]) => name);
  const tried = targets.flatMap(({ names }) => names);
  const excused = Object.values(growth.EXCUSED).flat();
  expect(exported.filter((name) => !tried.includes(name) && !excused.includes(name))).toEqual([]);
  expect(excused.filter((name) => tried.includes(name) || !exported.includes(name))).toEqual([]);
});

it("a function that takes more steps for a character of a large input is found", () => {
  const json = require(path.join(LIB, "json/index.ts")) as { findJsonSyntaxFault: (bytes: Buffer) => unknown };
  const quadratic = (input: string): void => {
    for (let length = 0; length < input.length; length += 64) json.findJsonSyntaxFault(Buffer.from("[".repeat(length)));
  };
  const linear = (input: string): unknown => json.findJsonSyntaxFault(Buffer.from("[".repeat(input.length)));
  const growthOf = (run: Target["run"]) => findGrowth({ name: "", names: [], run }, shapes.slice(0, 1));
  expect(growthOf(linear)).toBeGreaterThan(0.5); // steps are counted
  expect(growthOf(linear)).toBeLessThan(1.1);
  expect(growthOf(quadratic)).toBeGreaterThan(MAX_GROWTH);
});

/** How many times more steps a character takes in large inputs. */
function findGrowth(target: Target, used: readonly Shape[]): number {
  const small = stepsOf(target, used, SMALL);
  const large = stepsOf(target, used, LARGE);
  return large / (small * (LARGE / SMALL) + CONSTANT * used.length);
}

it("V4 no function takes more steps for a character of a large input", () => {
  const faults = targets.flatMap((target) => {
    if (findGrowth(target, shapes) <= MAX_GROWTH) return [];
    const found = shapes.map((shape) => [findGrowth(target, [shape]), shape.name] as const);
    return [`${target.name}: ${found.sort(([a], [b]) => b - a)[0]?.join(" times with ")}`];
  });
  expect(faults).toEqual([]);
}, 120_000);
