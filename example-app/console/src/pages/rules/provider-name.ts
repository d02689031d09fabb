import type { ReplayedMove } from "../../api/types.js";
import { visible } from "../../parts/visible.js";
import { useSession } from "../../session/use-session.js";
import { rules as texts } from "../../texts/en/rules.js";

/** Names a provider; the one without a name is the org itself. */
export function useProviderName(): (provider: ReplayedMove["from"]) => string {
  const { org } = useSession();
  return ({ name }) => visible(name ?? texts.orgItself({ org: org.name }));
}
