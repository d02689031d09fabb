/** Why metadata can't be fetched or used, for those who manage the provider: nothing of what was received. */
export class MetadataError extends Error {
  override readonly name = "MetadataError";
}
