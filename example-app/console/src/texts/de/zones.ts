import type { Translation } from "../define.js";
import type * as english from "../en/zones.js";

export const zones: Translation<typeof english.zones> = {
  about: "Netzwerke, etwa die der eigenen Büros. Regeln fragen, ob ein Login aus einem davon kommt.",
  empty: "Mit den Adressen eines Büros beginnen. Dann kann eine Regel Logins von dort anders behandeln.",
  name: "Name",
  gateways: "Gateways",
  proxies: "Proxys",
  isOn: "Die Zone ist eingeschaltet",
  aboutGateways: "Wer eine dieser Adressen hat, ist in der Zone. Ein Block, eine Adresse oder ein Bereich pro Zeile.",
  aboutProxies: "Eigene Proxys: Die Organisation vertraut der Adresse, die sie in X-Forwarded-For melden.",
  noAddresses: "Keine Adressen",
  gatewayRanges: { one: "{n} Gateway: {ranges}", other: "{n} Gateways: {ranges}" },
  proxyRanges: { one: "{n} Proxy: {ranges}", other: "{n} Proxys: {ranges}" },
  inAnyZone: {
    one: "Eine Regel fragt nach einer beliebigen Zone.",
    other: "{n} Regeln fragen nach einer beliebigen Zone.",
  },
  wrongLine: "Zeile {line}: {fault}",
  wrongLineWith: "Zeile {line}, {text}: {fault}",
};
