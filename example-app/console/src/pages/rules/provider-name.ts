import type { ReplayedMove } from "../../api/types.js";
import { visible } from "../../parts/visible.js";
import { useSession } from "../../session/use-session.js";

/** Names a provider; the one without a name is the org itself. */
export function useProviderName(): (provider: ReplayedMove["from"]) => string {
  const { org } = useSession();
  return ({ name }) => visible(name ?? `${org.name} itself`);
}
