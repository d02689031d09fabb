import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { idpsQuery, zonesQuery } from "../../api/queries.js";
import type { Idp, Zone } from "../../api/types.js";
import type { Names } from "../../parts/describe-rule.js";
import { useScope } from "../../session/use-session.js";

const NO_IDPS: readonly Idp[] = [];
const NO_ZONES: readonly Zone[] = [];

/** What rules call providers and zones, as far as the token may read them. */
export function useNames(): Names {
  const { data: idps = NO_IDPS } = useQuery({ ...idpsQuery, enabled: useScope("idps.read") });
  const { data: zones = NO_ZONES } = useQuery({ ...zonesQuery, enabled: useScope("zones.read") });
  return useMemo(() => ({ idps, zones }), [idps, zones]);
}
