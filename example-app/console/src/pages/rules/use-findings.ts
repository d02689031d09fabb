import { useQuery } from "@tanstack/react-query";
import { send, withQuery, type Answer } from "../../api/http.js";
import type { PolicyFinding } from "../../api/types.js";

const PAGE_SIZE = 200;

/** So many pages are read, those of the first rules. */
const MAX_PAGES = 10;

export type Findings = ReadonlyMap<string, readonly PolicyFinding[]>;

/** What may be wrong with rules, by their ids. */
export function useFindings(policyId: string): Findings {
  const { data } = useQuery({
    queryKey: ["findings", policyId],
    queryFn: ({ signal }) => readFindings(policyId, signal),
  });
  return data ?? NONE;
}

const NONE: Findings = new Map();

/** Whether somebody should do something: a pattern that takes subdomains may be meant so. */
export function isWarning({ type }: PolicyFinding): boolean {
  return type !== "NO_LABEL_BOUNDARY";
}

async function readFindings(policyId: string, signal: AbortSignal): Promise<Findings> {
  const findings: PolicyFinding[] = [];
  let next: string | undefined = withQuery(`/api/v1/policies/${policyId}/findings`, { limit: PAGE_SIZE });
  for (let pages = 0; next !== undefined && pages < MAX_PAGES; pages++) {
    const page: Answer<PolicyFinding[]> = await send<PolicyFinding[]>(next, { signal });
    findings.push(...page.data);
    next = page.next;
  }
  const byRule = new Map<string, PolicyFinding[]>();
  for (const finding of findings) {
    const { ruleId = "" } = finding;
    byRule.set(ruleId, [...(byRule.get(ruleId) ?? []), finding]);
  }
  return byRule;
}
