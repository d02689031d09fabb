export { formatJrd, type IssuerRel, type Jrd, type JrdLink, type WebfingerOrg } from "./jrd.js";
export {
  type IdentityProvider,
  isIssuer,
  parseSelection,
  type ProviderSelection,
  type SelectedProvider,
} from "./selection.js";
export {
  type AskedRelations,
  compileWebfingerParser,
  compileWebfingerReader,
  isResourcePrefix,
  type ParsedWebfingerQuery,
  type WebfingerFault,
  type WebfingerQuery,
} from "./webfinger.js";
