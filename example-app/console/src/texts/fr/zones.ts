import type { Translation } from "../define.js";
import type * as english from "../en/zones.js";

export const zones: Translation<typeof english.zones> = {
  about: "Des réseaux, comme ceux de vos bureaux. Les règles vérifient si un login vient de l’un d’eux.",
  empty:
    "Ajoutez-en une avec les adresses d’un bureau. Une règle peut alors traiter autrement les logins qui en viennent.",
  name: "Nom",
  gateways: "Passerelles",
  proxies: "Proxys",
  isOn: "La zone est activée",
  aboutGateways: "Qui a l’une de ces adresses est dans la zone. Un bloc, une adresse ou une plage par ligne.",
  aboutProxies: "Vos propres proxys : l’organisation se fie à l’adresse qu’ils indiquent dans X-Forwarded-For.",
  noAddresses: "Aucune adresse",
  gatewayRanges: { one: "{n} passerelle : {ranges}", other: "{n} passerelles : {ranges}" },
  proxyRanges: { one: "{n} proxy : {ranges}", other: "{n} proxys : {ranges}" },
  inAnyZone: {
    one: "{n} règle porte sur n’importe quelle zone.",
    other: "{n} règles portent sur n’importe quelle zone.",
  },
  wrongLine: "Ligne {line} : {fault}",
  wrongLineWith: "Ligne {line}, {text} : {fault}",
};
