import { parseSettings } from "../../src/program/settings/parse.js";
import type { Settings } from "../../src/program/settings/settings.js";
import { describeVersions } from "../../src/resources/index.js";
import type { Description } from "../../src/rest/openapi/document.js";
import type { Store } from "../../src/store/store.js";
import type { AnalysisCache } from "../../src/tenancy/analysis-cache.js";
import type { RoutingCache } from "../../src/tenancy/routing-cache.js";

/** The descriptions of a server with the usual settings, or with `changes` of them. */
export function createDescriptions(changes: Partial<Settings> = {}): Record<string, Description> {
  const settings = { ...parseSettings(new Map()), secrets: ["s".repeat(32)], ...changes };
  return describeVersions({
    settings,
    store: {} as Store,
    routings: {} as RoutingCache,
    analyses: {} as AnalysisCache,
    limiter: null,
  });
}

export function formatDescription(description: Description): string {
  return `${JSON.stringify(description, null, 1)}\n`;
}
