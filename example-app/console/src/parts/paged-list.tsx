import { Box } from "@mantine/core";
import { useEffect, type ReactNode } from "react";
import { useRows } from "./use-rows.js";

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
  const { list, rows, height, measure } = useRows(records, rowHeight);
  const isNearEnd = (rows.at(-1)?.index ?? 0) >= records.length - AHEAD;
  useEffect(() => {
    if (isNearEnd) onMore?.();
  }, [isNearEnd, onMore]);

  return (
    <Box ref={list} role="list" aria-label={label} pos="relative" h={height}>
      {rows.map(({ index, key, start }) => {
        const record = records[index];
        if (record === undefined) return null;
        return (
          <Box
            key={key}
            data-index={index}
            ref={measure}
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
  );
}
