import { beginTestedChange } from "../tenancy/tested-change.js";
import type { WriteTransaction } from "../store/contract/transaction.js";
import type { PlannedOrg } from "./change-lines.js";
import type { Report } from "./located.js";

/** Call it before an import writes. The function that it returns reports, after that, the routing tests that fail. */
export async function beginImportTests(
  transaction: WriteTransaction,
  orgs: readonly PlannedOrg[],
): Promise<(report: Report) => Promise<void>> {
  const begun: { path: PlannedOrg["file"]["path"]; finish: Awaited<ReturnType<typeof beginTestedChange>> }[] = [];
  for (const { file, plan } of orgs) {
    const finish = await beginTestedChange(transaction, plan.org.id, { changesTests: true });
    begun.push({ path: [...file.path, "routingTests"], finish });
  }
  return async (report) => {
    for (const { path, finish } of begun) {
      for (const cause of (await finish())?.causes ?? []) report(path, `fails: ${cause}`);
    }
  };
}
