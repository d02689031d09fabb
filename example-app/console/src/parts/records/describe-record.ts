import { formatValue } from "../field-conflict.js";
import type { Describe } from "../history/lines.js";
import type { NamedRecord, RecordKind, Switched } from "./kind.js";

/** Every field of a form in words. */
export function describeRecord<R extends NamedRecord, D extends Switched>(
  kind: Pick<RecordKind<R, D>, "labels" | "toDraft">,
): Describe {
  const names = Object.keys(kind.labels) as (keyof D & string)[];
  return (stored) => {
    const draft = kind.toDraft(stored as unknown as R);
    return names.map((name) => ({ label: kind.labels[name], text: formatValue(draft[name]) }));
  };
}
