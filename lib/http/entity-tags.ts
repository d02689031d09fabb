export {
  compileEntityTags,
  type ConditionalRequest,
  type EntityTags,
  type EntityTagsOptions,
  type EntityTagVerdict,
  type TagStrength,
} from "./compile-entity-tags.js";
