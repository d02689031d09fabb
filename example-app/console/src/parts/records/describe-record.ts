import { formatValue } from "../field-conflict.js";
import type { Describe } from "../history/lines.js";
import type { NamedRecord, RecordKind } from "./kind.js";

/** Every field of a form in words. */
export function describeRecord<R extends NamedRecord, D extends object>(
  kind: Pick<RecordKind<R, D>, "labels" | "one" | "toDraft">,
): Describe {
  const names = Object.keys(kind.labels) as (keyof D & string)[];
  return (stored) => {
    const record = stored as unknown as R;
    const draft = kind.toDraft(record);
    return [
      ...names.map((name) => ({ label: kind.labels[name], text: formatValue(draft[name]) })),
      { label: `The ${kind.one} is on`, text: formatValue(record.status === "ACTIVE") },
    ];
  };
}
