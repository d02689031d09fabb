export * from "./cursors.js";
export { secretsOption } from "./cursor.js";
export {
  type FetchPage,
  type FollowedPage,
  followPages,
  FollowPagesError,
  type FollowPagesErrorReason,
  type FollowPagesOptions,
  type PageResponse,
} from "./follow-pages.js";
export {
  compareKeys,
  type KeysetComparison,
  keysetCondition,
  type KeysetCondition,
  keysetOrder,
  type KeysetPosition,
  selectRows,
  type SortTerm,
} from "./keyset.js";
export {
  compilePageQueryReader,
  type PageLimit,
  type PageQueryFault,
  parsePageLimit,
  parsePolling,
} from "./page-query.js";
export { bindContext, type PaginationContext } from "./pagination-context.js";
export { createPage, type Page, type PagedList } from "./requested-page.js";
