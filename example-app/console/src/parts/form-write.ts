import type { useAllowedWrite } from "./use-allowed-write.js";

/** What a form writes. */
export interface FormWrite<D> {
  /** It may have been chosen, field by field, from what the form had and what somebody else has saved. */
  readonly saved: D;
  /** The entity tag of the version that one has seen. */
  readonly seen: string | undefined;
  /** What the form had. */
  readonly draft: D;
}

/** A write whose `anyway` writes what the form shows, if one has changed it since it was refused. */
export function anywayAs<D>(writing: ReturnType<typeof useAllowedWrite<FormWrite<D>>>, now: FormWrite<D>) {
  const { anyway, values } = writing;
  return {
    ...writing,
    anyway:
      anyway &&
      (() => {
        anyway(values?.draft === now.draft ? values : now);
      }),
  };
}
