import { defineTexts } from "../define.js";

/** The page of the zones. */
export const zones = defineTexts("zones", {
  about: "Networks, such as those of your offices. Rules ask whether a login comes from one of them.",
  empty: "Add one with the addresses of an office. Then a rule can treat logins from there in another way.",
  name: "Name",
  gateways: "Gateways",
  proxies: "Proxies",
  isOn: "The zone is on",
  aboutGateways: "Who has one of these addresses is in the zone. One block, address or range a line.",
  aboutProxies: "Your own proxies: the org believes which address they report in X-Forwarded-For.",
  noAddresses: "No addresses",
  gatewayRanges: { one: "{n} gateway: {ranges}", other: "{n} gateways: {ranges}" },
  proxyRanges: { one: "{n} proxy: {ranges}", other: "{n} proxies: {ranges}" },
  inAnyZone: { one: "One rule asks for any zone.", other: "{n} rules ask for any zone." },
  wrongLine: "Line {line}: {fault}",
  wrongLineWith: "Line {line}, {text}: {fault}",
});
