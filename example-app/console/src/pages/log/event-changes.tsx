import { useSuspenseQuery } from "@tanstack/react-query";
import { policyQuery } from "../../api/queries.js";
import { RevisionChanges } from "../history/revision-changes.js";

/** What a revision changed of a record: each field before and after. */
export function EventChanges({ revision, target }: Readonly<{ revision: number; target: string }>) {
  const { data: policy } = useSuspenseQuery(policyQuery);
  return <RevisionChanges policyId={policy.id} revision={revision} target={target} />;
}
