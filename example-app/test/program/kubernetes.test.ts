import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { Secret } from "kubernetes-models/v1/Secret";
import { Service } from "kubernetes-models/v1/Service";
import { parseAllDocuments } from "yaml";
import { compile } from "../../../test/support/compile.js";
import { describeIf } from "../../../test/support/requirements.js";
import { variableOf, type SettingName } from "../../src/program/settings/index.js";
import { parseSettings } from "../../src/program/settings/parse.js";
import { makeFolder } from "../support/stores.js";

/* What runs the server where it stays, against the rules of those who run it: the API of Kubernetes, and systemd. */

jest.setTimeout(60_000);

const DEPLOY = join(__dirname, "../../deploy");

interface Document {
  readonly apiVersion: string;
  readonly kind: string;
}

const MODELS: Readonly<Record<string, new (data: object) => { validate: () => void }>> = {
  Deployment,
  PodDisruptionBudget,
  Secret,
  Service,
};

const documents = parseAllDocuments(readFileSync(join(DEPLOY, "kubernetes.yaml"), "utf8")).map(
  (document) => document.toJS() as Document,
);

function find(kind: string): Document {
  return documents.find((document) => document.kind === kind)!;
}

/** The values that the schema of the API refuses. It takes members that it doesn't have. */
function refusedValues(document: Document): string | undefined {
  const Model = MODELS[document.kind];
  if (!Model) return `no schema of ${document.kind}`;
  try {
    new Model(document).validate();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The members that the types of the API don't have, by the name of a document. */
function unknownMembers(named: ReadonlyMap<string, Document>): Promise<Map<string, string[]>> {
  const texts = [...named].map(([name, document]): [string, string] => {
    const type = `import("kubernetes-models/${document.apiVersion}").I${document.kind}`;
    return [name, `export const document: ${type} = ${JSON.stringify(document)};\n`];
  });
  return compile(new Map(texts), "express");
}

interface Deployed {
  spec: {
    selector: { matchLabels: Record<string, string> };
    template: {
      metadata: { labels: Record<string, string> };
      spec: {
        terminationGracePeriodSeconds: number;
        containers: {
          image: string;
          env: { name: string; value: string }[];
          ports: { name: string; containerPort: number }[];
          volumeMounts: { name: string; mountPath: string }[];
        }[];
      };
    };
  };
}

describe("kubernetes.yaml", () => {
  const { spec } = find("Deployment") as unknown as Deployed;
  const { terminationGracePeriodSeconds, containers } = spec.template.spec;
  const { env = [], ports = [], volumeMounts = [] } = containers[0] ?? {};
  const secrets = volumeMounts.find(({ name }) => name === "secrets")?.mountPath ?? "";

  test("its values and members are those of the API", async () => {
    const service = find("Service");
    const misspelled = { ...service, spec: { ports: [{ port: 80, targetport: "http" }] } };
    const named = new Map(documents.map((document) => [document.kind, document]));
    expect(Object.fromEntries(await unknownMembers(named.set("misspelled", misspelled)))).toEqual({
      ...Object.fromEntries(documents.map(({ kind }) => [kind, []])),
      misspelled: [expect.stringContaining("targetport")],
    });
    expect(documents.map(refusedValues)).toEqual(documents.map(() => undefined));
    expect(refusedValues({ ...service, spec: { ports: [{ port: "80" }] } } as Document)).toContain("must be integer");
  });

  test("its settings are accepted, with the files of the secret that it names", () => {
    const { stringData } = find("Secret") as unknown as { stringData: Record<string, string> };
    const given = env.map(({ name, value }): [string, string] => {
      if (!name.endsWith("_FILE")) return [name, value];
      const key = value.replace(`${secrets}/`, "");
      expect(Object.keys(stringData)).toContain(key);
      return [name.replace("_FILE", ""), key === "secrets" ? "s".repeat(64) : String(stringData[key])];
    });
    const settings = parseSettings(new Map(given.map(([source, text]) => [settingOf(source), { text, source }])));
    expect(settings).toMatchObject({ http: true, adminHost: "0.0.0.0", baseDomain: "idp.example" });
    expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(settings.drainDelay / 1_000 + 15);
  });

  test("its ports are those of the image, and all select the same pods", () => {
    const image = readFileSync(join(__dirname, "../../../Containerfile"), "utf8");
    expect(Object.fromEntries(ports.map(({ name, containerPort }) => [name, String(containerPort)]))).toEqual({
      http: /^EXPOSE (\d+)$/m.exec(image)?.[1],
      admin: /ETIQUETTE_ADMIN_PORT=(\d+)/.exec(image)?.[1],
    });
    const { labels } = spec.template.metadata;
    const budget = find("PodDisruptionBudget") as unknown as { spec: { selector: { matchLabels: object } } };
    const service = find("Service") as unknown as { spec: { selector: object } };
    const selectors = [spec.selector.matchLabels, budget.spec.selector.matchLabels, service.spec.selector];
    expect(selectors.filter((selector) => !isDeepStrictEqual(selector, labels))).toEqual([]);
  });
});

function settingOf(variable: string): SettingName {
  const name = variable.replace("ETIQUETTE_", "").toLowerCase().replaceAll("_", "-") as SettingName;
  expect(variableOf(name)).toBe(variable);
  return name;
}

const ANALYZE = "systemd-analyze";

describeIf(spawnSync(ANALYZE, ["--version"]).status === 0, "the unit", ANALYZE, () => {
  const folder = makeFolder();

  /** What systemd says of the unit, with a program that is there. */
  function verify(text: string): string {
    const file = join(mkdtempSync(join(folder, "unit-")), "etiquette.service");
    writeFileSync(file, text.replace("/usr/bin/node ", `${process.execPath} `));
    return spawnSync(ANALYZE, ["verify", "--man=no", file], { encoding: "utf8" }).stderr;
  }

  test("is one that systemd reads without a complaint", () => {
    const unit = readFileSync(join(DEPLOY, "etiquette.service"), "utf8");
    expect(verify(unit)).toBe("");
    expect(verify(unit.replace("Restart=", "Restrt="))).toContain("Unknown key");
  });
});
