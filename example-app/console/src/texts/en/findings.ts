import { defineTexts } from "../define.js";

/** What may be wrong with a rule. */
export const findings = defineTexts("findings", {
  unreachable:
    '"{rule}" (priority {place}) can\'t be reached: everything that it takes goes to "{by}" (priority {byPlace}).',
  unreachableMore: {
    one: '"{rule}" (priority {place}) can\'t be reached: everything that it takes goes to "{by}" (priority {byPlace}) and {n} other rule.',
    other:
      '"{rule}" (priority {place}) can\'t be reached: everything that it takes goes to "{by}" (priority {byPlace}) and {n} other rules.',
  },
  overlap:
    '"{by}" (priority {byPlace}) comes before "{rule}" (priority {place}) and leads some of its logins to other providers, such as {login}.',
  NO_PROVIDER: '"{rule}" never matches: it leads to no active identity provider.',
  NO_PATTERN: '"{rule}" never matches: its patterns match no text.',
  NO_ZONE: '"{rule}" never matches: none of the zones that it includes is active and has gateways.',
  ZONES_EXCLUDED: '"{rule}" never matches: it excludes all zones that it includes.',
  PLATFORMS_EXCLUDED: '"{rule}" never matches: it excludes all platforms that it includes.',
  subdomains:
    'The pattern "{value}" also takes logins of other domains, such as {login}. "@{value}" takes no subdomains.',
  anyText:
    'The pattern "{value}" also takes logins of other domains, such as {login}. Only "{suffix}" and "{equals}" end where a domain ends.',
});
