import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { callAdmin } from "../support/metrics.js";
import { startTestServer } from "../support/server.js";
import { makeFolder } from "../support/stores.js";

const read = (name: string): string => readFileSync(join(__dirname, "../../../docs", name), "utf8");

/** The names of metrics in a text. A histogram has several. */
function namesIn(text: string): Set<string> {
  const names = text.match(/\b(?:etiquette_[a-z_]+|(?:nodejs|process)_[a-z0-9_]+)\b(?!["…]|: )/g) ?? [];
  return new Set(names.map((name) => name.replace(/_(?:bucket|count|sum)$/, "")));
}

interface Rules {
  groups: {
    rules: {
      alert: string;
      expr: string;
      labels: { severity: string };
      annotations: { summary: string; runbook_url: string };
    }[];
  }[];
}

describe("the documents of the metrics", () => {
  const parent = makeFolder();
  const metrics = new Map<string, { type: string }>();

  beforeAll(async () => {
    const server = await startTestServer(
      { options: { dataFolder: mkdtempSync(join(parent, "data-")) } },
      { adminPort: 0 },
    );
    const { text } = await callAdmin(server, "/metrics");
    await server.close();
    for (const [, name = "", type = ""] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
      metrics.set(name, { type });
    }
  });

  const own = (): string[] => [...metrics.keys()].filter((name) => name.startsWith("etiquette_")).sort();

  it("the page has a row for each metric, with its type, and no other", () => {
    const rows = Array.from(
      read("guides/monitoring.md").matchAll(/^\| `(etiquette_\w+)` +\| (\w+)/gm),
      ([, name, type]) => [name, type],
    );
    expect(rows.sort()).toEqual(own().map((name) => [name, metrics.get(name)?.type]));
  });

  it("the dashboard shows each of them, and names no other", () => {
    const dashboard = JSON.parse(read("grafana.json")) as { panels: { targets: { expr: string }[] }[] };
    const names = namesIn(dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join("\n"));
    expect([...names].filter((name) => !metrics.has(name))).toEqual([]);
    expect(own().filter((name) => !names.has(name))).toEqual([]);
  });

  const rules = (parse(read("alerts.yml")) as Rules).groups.flatMap((group) => group.rules);

  it("each alert has its page, and each page its alert", () => {
    const names = rules.map(({ alert }) => alert);
    expect(rules.map(({ annotations }) => annotations.runbook_url)).toEqual(
      names.map((name) => `guides/alerts/${name}.md`),
    );
    expect(readdirSync(join(__dirname, "../../../docs/guides/alerts")).sort()).toEqual(
      names.map((name) => `${name}.md`).sort(),
    );
    for (const name of names) {
      const page = read(`guides/alerts/${name}.md`);
      expect(page.split("\n")[0]).toBe(`# ${name}`);
      expect(Array.from(page.matchAll(/^- \*\*(.+?):\*\*/gm), ([, label]) => label)).toEqual([
        "Means",
        "Users notice",
        "Look at",
        "Do",
        "Don't",
      ]);
      expect([...namesIn(page)].filter((metric) => !metrics.has(metric))).toEqual([]);
    }
  });

  it("the alerts name no other, and each says what to look at", () => {
    expect(rules.length).toBeGreaterThan(5);
    const names = namesIn(rules.map(({ expr }) => expr).join("\n"));
    expect(names.size).toBeGreaterThan(5);
    expect([...names].filter((name) => !metrics.has(name))).toEqual([]);
    for (const { labels, annotations } of rules) {
      expect(labels.severity).toMatch(/^(?:page|ticket)$/);
      expect(annotations.summary).toMatch(/\{\{ \$labels\.instance \}\}/);
    }
  });
});
