import { Box } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, type ReactNode } from "react";

/** How many rows before the end the next page is asked for. */
const AHEAD = 20;

interface PagedListProps<T> {
  label: string;
  records: readonly T[];
  /** About, in pixels; each row is measured. */
  rowHeight: number;
  /** See `usePages`. */
  onMore: (() => void) | undefined;
  children: (record: T) => ReactNode;
}

/** Rows that are read as one scrolls. Only those in view are in the page. */
export function PagedList<T extends { readonly id: string }>({
  label,
  records,
  rowHeight,
  onMore,
  children,
}: Readonly<PagedListProps<T>>) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: records.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => records[index]?.id ?? index,
    overscan: 8,
  });
  const rows = virtualizer.getVirtualItems();
  const isNearEnd = (rows.at(-1)?.index ?? 0) >= records.length - AHEAD;
  useEffect(() => {
    if (isNearEnd) onMore?.();
  }, [isNearEnd, onMore]);

  return (
    <Box
      ref={scroller}
      mah="calc(100vh - 300px)"
      mih={240}
      tabIndex={0}
      role="region"
      aria-label={label}
      style={{ overflow: "auto" }}
    >
      <Box role="list" pos="relative" h={virtualizer.getTotalSize()}>
        {rows.map(({ index, key, start }) => {
          const record = records[index];
          if (record === undefined) return null;
          return (
            <Box
              key={key}
              data-index={index}
              ref={virtualizer.measureElement}
              role="listitem"
              aria-posinset={index + 1}
              aria-setsize={onMore ? -1 : records.length}
              pos="absolute"
              top={start}
              left={0}
              w="100%"
              style={{ borderTop: "1px solid var(--mantine-color-default-border)" }}
            >
              {children(record)}
            </Box>
          );
        })}
      </Box>
    </Box>
  );
}
