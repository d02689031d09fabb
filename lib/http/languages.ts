/**
 * Accept-Language, RFC 9110 section 12.5.4.
 *
 * Accept-Language = [ element *( OWS "," OWS element ) ]
 * element         = language-range [ OWS ";" OWS "q=" qvalue ]
 * qvalue          = ( "0" [ "." 0*3DIGIT ] ) / ( "1" [ "." 0*3("0") ] )
 */
const ELEMENT_REGEXP = /^([A-Za-z0-9-]{2,35})(?:[ \t]*;[ \t]*[Qq]=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?$/;

/**
 * langtag, RFC 5646 section 2.1: language, script, region, variants, extensions, private use. The irregular tags from
 * before 2005, such as `i-klingon`, are refused.
 */
const LANGUAGE_TAG_REGEXP =
  /^(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|[0-9]{3}))?(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*(?:-[0-9a-wy-z](?:-[a-z0-9]{2,8})+)*(?:-x(?:-[a-z0-9]{1,8})+)?$/;

/** More languages than anybody reads. */
const MAX_LANGUAGES = 16;

/**
 * Parse `Accept-Language` into language tags, the preferred one first, in the letter case of RFC 5646 section 2.1.1
 * (`zh-Hant-TW`). At most the first 16 are read. It drops elements that are not a tag, are longer than 35 characters (RFC
 * 5646 section 4.4.1), are the wildcard, have `q=0` or a malformed `q`, or are repeated.
 */
export function parseLanguages(value: string): readonly string[] {
  const weights = new Map<string, number>();
  for (const element of value.split(",")) {
    const [, range, weight = "1"] = ELEMENT_REGEXP.exec(element.trim()) ?? [];
    if (range === undefined || Number(weight) === 0) continue;
    const tag = formatLanguageTag(range);
    if (tag === undefined || weights.has(tag)) continue;
    weights.set(tag, Number(weight));
    if (weights.size === MAX_LANGUAGES) break;
  }
  return [...weights].sort(([, a], [, b]) => b - a).map(([tag]) => tag);
}

/**
 * `tag` in lower case, except subtags of two letters (`TW`) and four (`Hant`) that are neither first nor after a
 * singleton. `undefined` when it is not a language tag.
 */
function formatLanguageTag(tag: string): string | undefined {
  const lower = tag.toLowerCase();
  if (!LANGUAGE_TAG_REGEXP.test(lower)) return undefined;

  const subtags = lower.split("-");
  const singleton = subtags.findIndex((subtag) => subtag.length === 1);
  const end = singleton < 0 ? subtags.length : singleton;
  for (let index = 1; index < end; index++) {
    const subtag = subtags[index] ?? "";
    if (subtag.length === 2) subtags[index] = subtag.toUpperCase();
    if (subtag.length === 4) subtags[index] = subtag.charAt(0).toUpperCase() + subtag.slice(1);
  }
  return subtags.join("-");
}
