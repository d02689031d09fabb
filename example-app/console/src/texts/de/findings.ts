import type { Translation } from "../define.js";
import type * as english from "../en/findings.js";

export const findings: Translation<typeof english.findings> = {
  unreachable: "„{rule}“ (Platz {place}) wird nie erreicht: Alles, was sie erfasst, geht an „{by}“ (Platz {byPlace}).",
  unreachableMore: {
    one: "„{rule}“ (Platz {place}) wird nie erreicht: Alles, was sie erfasst, geht an „{by}“ (Platz {byPlace}) und {n} weitere Regel.",
    other:
      "„{rule}“ (Platz {place}) wird nie erreicht: Alles, was sie erfasst, geht an „{by}“ (Platz {byPlace}) und {n} weitere Regeln.",
  },
  overlap:
    "„{by}“ (Platz {byPlace}) kommt vor „{rule}“ (Platz {place}) und führt einige ihrer Logins zu anderen Anbietern, zum Beispiel {login}.",
  NO_PROVIDER: "„{rule}“ trifft nie zu: Sie führt zu keinem aktiven Identitätsanbieter.",
  NO_PATTERN: "„{rule}“ trifft nie zu: Ihre Muster passen auf keinen Text.",
  NO_ZONE: "„{rule}“ trifft nie zu: Keine der Zonen, die sie einschließt, ist aktiv und hat Gateways.",
  ZONES_EXCLUDED: "„{rule}“ trifft nie zu: Sie schließt alle Zonen aus, die sie einschließt.",
  PLATFORMS_EXCLUDED: "„{rule}“ trifft nie zu: Sie schließt alle Geräte aus, die sie einschließt.",
  subdomains:
    "Das Muster „{value}“ erfasst auch Logins anderer Domains, zum Beispiel {login}. „@{value}“ erfasst keine Subdomains.",
  anyText:
    "Das Muster „{value}“ erfasst auch Logins anderer Domains, zum Beispiel {login}. Nur „{suffix}“ und „{equals}“ enden dort, wo eine Domain endet.",
};
