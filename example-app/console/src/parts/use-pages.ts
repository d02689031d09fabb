import { useInfiniteQuery } from "@tanstack/react-query";
import { pagesQuery } from "../api/queries.js";

/** A list that is read as one scrolls, for a `PagedList`. */
export interface Pages<T> {
  readonly records: readonly T[];
  readonly error: Error | null;
  readonly isReading: boolean;
  /** Whether every page was read. */
  readonly isComplete: boolean;
  /** Absent when there is nothing more to read now. */
  readonly onMore: (() => void) | undefined;
}

export function usePages<T>(key: readonly unknown[], path: string): Pages<T> {
  const query = useInfiniteQuery({
    ...pagesQuery<T>(key, path),
    select: ({ pages }) => pages.flatMap(({ data }) => data),
  });
  const { data: records = [], error, hasNextPage, isFetching, isSuccess, isError } = query;
  return {
    records,
    error,
    isReading: isFetching,
    isComplete: isSuccess && !hasNextPage,
    onMore: hasNextPage && !isFetching && !isError ? () => void query.fetchNextPage() : undefined,
  };
}
