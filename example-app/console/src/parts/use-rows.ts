import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useRef, useState } from "react";

/** Rows beyond the window that are in the page. */
const OVERSCAN = 8;

/**
 * The rows of a list that are in the window. The document scrolls, not the list: so there is one scroll, and a low window
 * is no obstacle (WCAG 2.2, 1.4.10).
 *
 * @param rowHeight about, in pixels; each row is measured
 */
export function useRows(records: readonly { readonly id: string }[], rowHeight: number) {
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  // no dependencies: whatever is above the list may have grown
  useLayoutEffect(() => {
    if (list.current) setTop(Math.round(list.current.getBoundingClientRect().top + window.scrollY));
  });
  const virtualizer = useWindowVirtualizer<HTMLDivElement>({
    count: records.length,
    estimateSize: () => rowHeight,
    getItemKey: (index) => records[index]?.id ?? index,
    overscan: OVERSCAN,
    scrollMargin: top,
  });
  return {
    list,
    rows: virtualizer.getVirtualItems().map(({ index, key, start }) => ({ index, key, start: start - top })),
    height: virtualizer.getTotalSize(),
    measure: virtualizer.measureElement,
  };
}
