import { useEffect } from "react";
import { PAGE_SIZE } from "../api/queries.js";
import { withQuery } from "../api/http.js";
import { usePages, type Pages } from "./use-pages.js";

/** A list of which a quota bounds the length: it is read to its end, page by page, and shown as it comes. */
export function useWholeList<T>(key: readonly unknown[], path: string): Pages<T> {
  const pages = usePages<T>(key, withQuery(path, { limit: PAGE_SIZE }));
  const { onMore } = pages;
  useEffect(() => onMore?.(), [onMore]);
  return pages;
}
