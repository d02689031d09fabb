/** The public path `etiquette/structured-fields`. */
export {
  formatDictionaryField,
  formatItemField,
  formatListField,
  type FieldMemberInput,
} from "./format-structured-field.js";
export {
  MAX_STRUCTURED_FIELD_LENGTH,
  parseDictionaryField,
  parseItemField,
  parseListField,
} from "./parse-structured-field.js";
export {
  type BareItem,
  FieldDecimal,
  FieldDisplayString,
  type FieldInnerList,
  type FieldItem,
  type FieldMember,
  type FieldParameters,
  FieldToken,
} from "./structured-field.js";
