/** What a file of one org may have when the org's administrators export and import it. The console has them too. */
export const ORG_FILE_LIMITS = {
  /** The length of its text, which is parsed in one turn of the event loop. */
  bytes: 1_048_576,
  records: 1_500,
  /** Members of objects and elements of arrays. Where all names differ, one takes a microsecond. */
  members: 15_000,
} as const;
