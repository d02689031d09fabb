import { createContext, useContext } from "react";

/** What a write has done. */
export interface Done {
  /** `Saved the rule Employees` */
  readonly text: string;
  /** The record, if its history has the change. */
  readonly id?: string | undefined;
  /** Several records, and the revision before their changes. */
  readonly all?: { readonly ids: readonly string[]; readonly since: number } | undefined;
}

export const NoticeContext = createContext<(done: Done | undefined) => void>(() => undefined);

/** A function that tells what was done, over every page, or takes the message away. */
export function useNotice(): (done: Done | undefined) => void {
  return useContext(NoticeContext);
}
