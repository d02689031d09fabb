/** Where a change of an org's routing comes from. */
export const REVISION_SOURCES = ["api", "console", "import", "restore", "metadata", "command", "system"] as const;

export type RevisionSource = (typeof REVISION_SOURCES)[number];
