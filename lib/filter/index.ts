export type {
  ComparisonOperator,
  Filter,
  FilterComparison,
  FilterJunction,
  FilterNegation,
  FilterOperand,
  FilterOperator,
  FilterPresence,
  FilterTerm,
} from "./ast.js";
export { checkFilter } from "./check.js";
export { FilterError, type FilterErrorFacts, type FilterErrorKind } from "./error.js";
export { compileFilter } from "./evaluate.js";
export { chooseEncoding } from "./form-encoding.js";
export { parseCaps, parseFilter, parseWithin, type FilterCaps } from "./parser.js";
export { formatFilter } from "./printer.js";
export { compileRequestFilter, type RequestFilter } from "./request-filter.js";
export {
  compileFilterSchema,
  type CompiledAttribute,
  type FilterAttribute,
  type FilterAttributeType,
  type FilterColumn,
  type FilterSchema,
  type FilterSchemaOptions,
} from "./schema.js";
export { compileFilterSql, type FilterDialect, type FilterSql, type FilterSqlOptions } from "./sql.js";
export type { SqlParameter } from "./sql-fragment.js";
