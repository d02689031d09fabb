import type { Translation } from "../define.js";
import type * as english from "../en/zones.js";

export const zones: Translation<typeof english.zones> = {
  about: "オフィスなどのネットワークです。ログインがそのいずれかから来たものかをルールで確認します。",
  empty: "オフィスのアドレスを登録したゾーンを追加してください。そこからのログインをルールで別に扱えるようになります。",
  name: "名前",
  gateways: "ゲートウェイ",
  proxies: "プロキシ",
  isOn: "ゾーンをオンにする",
  aboutGateways:
    "これらのアドレスからのアクセスはこのゾーンに含まれます。ブロック、アドレス、範囲を 1 行に 1 つ入力します。",
  aboutProxies: "自社のプロキシです。組織は、プロキシが X-Forwarded-For で伝えるアドレスを信頼します。",
  noAddresses: "アドレスなし",
  gatewayRanges: "ゲートウェイ {n} 件：{ranges}",
  proxyRanges: "プロキシ {n} 件：{ranges}",
  inAnyZone: "任意のゾーンを条件とするルールが {n} 件あります。",
  wrongLine: "{line} 行目：{fault}",
  wrongLineWith: "{line} 行目、{text}：{fault}",
};
