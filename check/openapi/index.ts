import { isObject } from "../../lib/json/index.js";
import { parseUrl } from "../../lib/net/index.js";
import { isPath } from "../command-line/values.js";
import { ExchangeError } from "../connection.js";
import { Probe } from "../probe.js";
import { pathOf, type RunPlan } from "../run-plan.js";
import { fitsTemplate } from "../template.js";
import { NotApplicable, TimeLimitError } from "../verdict.js";
import { Document, listOf } from "./document.js";
import { firstId } from "./examples.js";
import {
  describeReading,
  findBodyExample,
  listPaths,
  type Parameter,
  type PathItem,
  type Reading,
} from "./operations.js";
import { readDescription } from "./read.js";

/** Longer paths are refused by servers. */
const MAX_PATH_LENGTH = 2048;

/** What stands for a value in a path or in the URL of a server. */
const VARIABLE_REGEXP = /\{([^{}]{1,100})\}/g;

/** The plan with what a description adds. */
export interface Described {
  readonly plan: RunPlan;
  /** What was taken from the description. */
  readonly notes: readonly string[];
}

/**
 * Take the paths and examples that the command line doesn't give from a description.
 *
 * @throws {UsageError} when it can't be read
 */
export async function describeApi({ plan }: { plan: RunPlan }, source: string | URL): Promise<Described> {
  const document = new Document(await readDescription(source, plan));
  const paths = listPaths(document, findBase(document, plan.url));
  const readings = paths.flatMap((path) => describeReading(document, path) ?? []);
  const listing = chooseList(readings, plan);
  const list = plan.list ?? (listing && fill(listing, exampleFor(listing)));
  const filter = plan.filter ?? listing?.parameters.find(isFilter)?.example;
  const withList: RunPlan = { ...plan, list, filter: list === undefined ? undefined : filter };
  const resource = plan.resource ?? (await findResource(readings, listing, withList));
  const chosen: RunPlan = { ...withList, resource, body: plan.body ?? bodyFor(document, paths, plan) };
  const [path = ""] = pathOf(chosen).split("?");
  const produces = readings.find((reading) => fitsTemplate(reading.segments, path))?.produces ?? [];
  const taken = (["list", "resource", "filter", "body"] as const)
    .filter((name) => chosen[name] !== undefined && chosen[name] !== plan[name])
    .map((name) => (name === "body" ? "--body" : `--${name} ${String(chosen[name])}`));
  return {
    plan: { ...chosen, description: { templates: paths.map(({ segments }) => segments), produces } },
    notes: [taken.length > 0 ? `The description gives ${taken.join(", ")}.` : "The description gives no path."],
  };
}

/** The path of the first server. */
function findBase({ root }: Document, url: URL): string {
  const [server] = listOf(root["servers"], 1);
  const { url: address, variables } = isObject(server) ? server : {};
  if (typeof address !== "string") return "";
  const filled = address.replace(VARIABLE_REGEXP, (_, name: string) => defaultOf(variables, name));
  return (parseUrl(filled, url.href)?.pathname ?? "").replace(/\/+$/, "");
}

function defaultOf(variables: unknown, name: string): string {
  const variable = isObject(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined;
  return isObject(variable) && typeof variable["default"] === "string" ? variable["default"] : "";
}

/** The list of `--list`, else that of the URL, else one that has pages, else any. */
function chooseList(readings: readonly Reading[], { list, url }: RunPlan): Reading | undefined {
  const path = list?.split("?", 1)[0] ?? url.pathname;
  const named = readings.find(
    (reading) => (list !== undefined || reading.isList) && fitsTemplate(reading.segments, path),
  );
  if (named || list !== undefined) return named;
  const usable = readings.filter((reading) => reading.isList && fill(reading, exampleFor(reading)) !== undefined);
  return usable.find(({ hasPages }) => hasPages) ?? usable[0];
}

/** An object of the list, else any whose parameters have examples. */
async function findResource(
  readings: readonly Reading[],
  listing: Reading | undefined,
  plan: RunPlan,
): Promise<string | undefined> {
  const { list } = plan;
  const item = listing && readings.find((reading) => !reading.isList && isItemOf(reading, listing));
  if (item && list !== undefined) return findItem(item, listing, list, plan);
  for (const reading of readings) {
    const path = !reading.isList && reading.template.includes("{") ? fill(reading, exampleFor(reading)) : undefined;
    if (path !== undefined) return path;
  }
  return undefined;
}

/** Its id comes from an example of it or of the list, else from the list itself. */
async function findItem(item: Reading, listing: Reading, list: string, plan: RunPlan): Promise<string | undefined> {
  const name = (item.segments.at(-1) ?? "").slice(1, -1);
  const described = exampleFor(item)(name) ?? firstId(listing.example, name);
  const id = described ?? firstId(await readList(plan, list), name);
  const [base = ""] = list.split("?");
  return id === undefined ? undefined : asPath(`${base}/${encodeURIComponent(id)}`);
}

async function readList(plan: RunPlan, list: string): Promise<unknown> {
  try {
    return (await new Probe(plan).getOnce(list)).json();
  } catch (error) {
    if (error instanceof ExchangeError || error instanceof NotApplicable || error instanceof TimeLimitError) {
      return undefined;
    }
    throw error;
  }
}

/** What to write where nothing can be read. */
function bodyFor(document: Document, paths: readonly PathItem[], { writable, method }: RunPlan): string | undefined {
  const [path = ""] = writable?.split("?") ?? [];
  const written =
    writable === undefined ? undefined : paths.find((candidate) => fitsTemplate(candidate.segments, path));
  if (!written || document.member(written.item, "get")) return undefined;
  const example = findBodyExample(document, written, method);
  return isObject(example) ? JSON.stringify(example) : undefined;
}

type Example = (name: string) => string | undefined;

function exampleFor({ parameters }: Reading): Example {
  return (name) => parameters.find((parameter) => parameter.place === "path" && parameter.name === name)?.example;
}

/** The path with an example in each place; `undefined` if one is missing. */
function fill({ template, parameters }: Reading, exampleOfParameter: Example): string | undefined {
  const required = parameters.filter(({ place, isRequired }) => place === "query" && isRequired);
  const names = [...template.matchAll(VARIABLE_REGEXP)].map(([, name = ""]) => name);
  const examples = [...names.map(exampleOfParameter), ...required.map(({ example }) => example)];
  if (examples.includes(undefined)) return undefined;
  const path = template.replace(VARIABLE_REGEXP, (_, name: string) =>
    encodeURIComponent(exampleOfParameter(name) ?? ""),
  );
  const query = required.map(({ name, example = "" }) => `${encodeURIComponent(name)}=${encodeURIComponent(example)}`);
  return asPath(path + (query.length > 0 ? `?${query.join("&")}` : ""));
}

/** A description may hold any text. */
function asPath(text: string): string | undefined {
  return isPath(text) && text.length <= MAX_PATH_LENGTH ? text : undefined;
}

function isItemOf({ segments }: Reading, { segments: parent }: Reading): boolean {
  return (
    segments.length === parent.length + 1 &&
    /^\{[^{}]+\}$/.test(segments.at(-1) ?? "") &&
    parent.every((segment, index) => segment === segments[index])
  );
}

function isFilter({ name, place, example = "" }: Parameter): boolean {
  return name === "filter" && place === "query" && / eq /i.test(example);
}
