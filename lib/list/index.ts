export {
  compileCursorCodec,
  type CursorCodec,
  type Cursor,
  type CursorContext,
  type CursorDirection,
  CursorError,
  type CursorKey,
  secretsOption,
} from "./cursor.js";
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
export { formatPageLinks, pathOf } from "./page-links.js";
export {
  compilePageQueryReader,
  type PageLimit,
  type PageQuery,
  type PageQueryFault,
  parsePageLimit,
  parsePolling,
} from "./page-query.js";
export { bindContext, type PaginationContext } from "./pagination-context.js";
export { cutPage, type PagePlaces } from "./page.js";
export { createPage, type Page, type PagedList } from "./requested-page.js";
