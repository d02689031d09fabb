import { setTimeout as sleep } from "node:timers/promises";
import { call, type Answer, type TestServer } from "./server.js";
import { patient } from "../../../test/support/patience.js";

/** One value of a scrape. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const SAMPLE_REGEXP = /^([a-z_:][a-z0-9_:]*)(?:\{(.*)\})? (\S+)$/i;
const LABEL_REGEXP = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Send a request to the admin port. */
export function callAdmin({ adminUrl }: Pick<TestServer, "adminUrl">, path: string, method = "GET"): Promise<Answer> {
  const url = String(adminUrl);
  const { port } = new URL(url);
  return call({ url, port: Number(port), ca: undefined }, path, { method, headers: { Host: `127.0.0.1:${port}` } });
}

export async function scrape(server: Pick<TestServer, "adminUrl">): Promise<Sample[]> {
  return parseMetrics((await callAdmin(server, "/metrics")).text);
}

/** Scrape until it is so, because a request is counted after its client has the response. */
export async function scrapeUntil(
  server: Pick<TestServer, "adminUrl">,
  isThere: (samples: Sample[]) => boolean,
): Promise<Sample[]> {
  const deadline = Date.now() + patient(30_000);
  for (;;) {
    const samples = await scrape(server);
    if (isThere(samples)) return samples;
    if (Date.now() > deadline) throw new Error(`the metrics stay so: ${JSON.stringify(samples)}`);
    await sleep(50);
  }
}

/** Read the text format of Prometheus. */
export function parseMetrics(text: string): Sample[] {
  return text.split("\n").flatMap((line) => {
    const [, name = "", labels = "", value] = SAMPLE_REGEXP.exec(line) ?? [];
    if (line.startsWith("#") || value === undefined) return [];
    const pairs = Array.from(labels.matchAll(LABEL_REGEXP), ([, key = "", text = ""]) => [key, text] as const);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}

/** The sum of the samples with this name and these labels. */
export function sumOf(samples: readonly Sample[], name: string, labels: Sample["labels"] = {}): number {
  return samples
    .filter(
      (sample) => sample.name === name && Object.entries(labels).every(([key, text]) => sample.labels[key] === text),
    )
    .reduce((sum, { value }) => sum + value, 0);
}
