import { useNavigate, useParams } from "@tanstack/react-router";
import type { RecordPath } from "./kind.js";

interface Opened {
  /** `new` for one that is not there yet; `undefined` when the address names none. */
  readonly id: string | undefined;
  readonly open: (id: string) => void;
  readonly close: () => void;
}

/** The record that the address of a page names, and the ways to another one and back to the page alone. */
export function useOpened(page: RecordPath): Opened {
  const { id } = useParams({ strict: false });
  const navigate = useNavigate();
  return {
    id,
    open: (other) => void navigate({ to: `${page}/$id`, params: { id: other } }),
    close: () => void navigate({ to: page }),
  };
}
