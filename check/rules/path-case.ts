import { pathOf, type RunPlan } from "../run-plan.js";
import { fitsTemplate } from "../template.js";

/** What is written the same for all objects: `users`, `access-tokens`, `v1`. Ids have digits or other characters, as a rule. */
const WORD_REGEXP = /^(?:[a-z][a-z_-]*|v\d+)$/i;

/**
 * The path that every check reads with its constant segments in upper case; `undefined` if none is known. An id is left
 * alone: in another case it is the id of nothing, and a 404 for it tells nothing about the path.
 */
export function changeCase(plan: RunPlan): string | undefined {
  const [path = ""] = pathOf(plan).split("?");
  const segments = path.split("/");
  const isConstant = findConstant(plan, segments);
  const changed = segments.map((segment, index) => (isConstant(segment, index) ? segment.toUpperCase() : segment));
  const other = changed.join("/");
  return other === path ? undefined : other;
}

function findConstant(
  { resource, description }: RunPlan,
  segments: readonly string[],
): (segment: string, index: number) => boolean {
  const template = description?.templates.find((candidate) => fitsTemplate(candidate, segments.join("/")));
  if (template) return (segment, index) => template[index] === segment && !segment.includes("%");
  // what --resource names is one object, so the last segment is its id
  const end = resource === undefined ? segments.length : segments.length - 1;
  return (segment, index) => index < end && WORD_REGEXP.test(segment);
}
