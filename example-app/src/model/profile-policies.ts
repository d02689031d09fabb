export const PROFILE_POLICIES = ["UNAVAILABLE", "NEXT_RULE"] as const;

/** What happens when a rule needs a profile that can't be read: the request is refused as unavailable, or the next rule is tried. */
export type ProfilePolicy = (typeof PROFILE_POLICIES)[number];
