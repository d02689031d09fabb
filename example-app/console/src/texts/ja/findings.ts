import type { Translation } from "../define.js";
import type * as english from "../en/findings.js";

export const findings: Translation<typeof english.findings> = {
  unreachable:
    "「{rule}」({place} 番目) には到達しません。対象となるログイン ID はすべて「{by}」({byPlace} 番目) で処理されます。",
  unreachableMore: {
    other:
      "「{rule}」({place} 番目) には到達しません。対象となるログイン ID はすべて「{by}」({byPlace} 番目) と他の {n} 件のルールで処理されます。",
  },
  overlap:
    "「{by}」({byPlace} 番目) が「{rule}」({place} 番目) より先に評価され、{login} などのログイン ID を別のプロバイダーに導きます。",
  NO_PROVIDER: "「{rule}」は決して一致しません。有効な ID プロバイダーが指定されていません。",
  NO_PATTERN: "「{rule}」は決して一致しません。パターンに一致するテキストがありません。",
  NO_ZONE: "「{rule}」は決して一致しません。対象のゾーンに、有効でゲートウェイのあるものがありません。",
  ZONES_EXCLUDED: "「{rule}」は決して一致しません。対象のゾーンがすべて除外されています。",
  PLATFORMS_EXCLUDED: "「{rule}」は決して一致しません。対象のデバイスがすべて除外されています。",
  subdomains:
    "パターン「{value}」は {login} など別のドメインのログイン ID も対象にします。「@{value}」ならサブドメインは対象になりません。",
  anyText:
    "パターン「{value}」は {login} など別のドメインのログイン ID も対象にします。ドメインの末尾で区切られるのは「{suffix}」と「{equals}」だけです。",
};
