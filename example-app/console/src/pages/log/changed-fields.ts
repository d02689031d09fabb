import type { LogEvent } from "../../api/types.js";
import { visible } from "../../parts/visible.js";
import { logRow as texts } from "../../texts/en/log-row.js";

/** A field that an event says was changed. */
export interface ChangedField {
  readonly name: string;
  /** `undefined` when the event does not say it. */
  readonly before: string | undefined;
  readonly after: string;
}

/** The most characters of a value. */
const MAX_LENGTH = 60;

/** What every change changes, and what the sentence says of a switch. */
const USUAL_REGEXP = /^\/(?:lastUpdated|status)$/;

/** What an event itself says of the fields; the history knows more. */
export function changedFields({ target, debugContext }: LogEvent): ChangedField[] {
  const refreshed = (target?.[0]?.detailEntry?.["changes"] ?? {}) as Readonly<
    Record<string, { old: unknown; new: unknown }>
  >;
  return [
    ...Object.entries(refreshed).map(([name, values]) => ({
      name,
      before: formatValue(values.old),
      after: formatValue(values.new),
    })),
    ...readPatch(debugContext.debugData["patch"]),
  ];
}

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}

function readPatch(text = "[]"): ChangedField[] {
  const operations = JSON.parse(text) as Operation[];
  return operations
    .filter(({ path }) => path !== "" && !USUAL_REGEXP.test(path))
    .map(({ op, path, value }) => ({
      name: path.slice(1).replaceAll("/", "."),
      before: undefined,
      after: op === "remove" ? texts.removed : formatValue(value),
    }));
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined) return texts.none;
  const text = visible(typeof value === "string" ? value : JSON.stringify(value));
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
