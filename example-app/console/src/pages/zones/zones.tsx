import type { Rule, Zone } from "../../api/types.js";
import { NameField } from "../../parts/name-field.js";
import type { FieldsProps, RecordKind } from "../../parts/records/kind.js";
import { RecordPage } from "../../parts/records/record-page.js";
import { UsedBy } from "../../parts/records/used-by.js";
import { pages } from "../../texts/en/pages.js";
import { zoneRecord } from "../../texts/en/zone-record.js";
import { zones } from "../../texts/en/zones.js";
import { NEW_ZONE, toBody, toDraft, type Draft } from "./draft.js";
import { RangeLines } from "./range-lines.js";
import { requests, type Body } from "./requests.js";

const ALL_ZONES = "ALL_ZONES";

/** How many ranges the line about a zone shows. */
const SHOWN = 3;

export const ZONES: RecordKind<Zone, Draft, Body> = {
  get title() {
    return pages.zones;
  },
  term: "zones",
  get about() {
    return zones.about;
  },
  texts: zoneRecord,
  path: "/api/v1/zones",
  page: "/zones",
  key: "zones",
  scope: "zones",
  get empty() {
    return zones.empty;
  },
  requests,
  newDraft: NEW_ZONE,
  toDraft,
  toBody,
  get labels() {
    const { name, gateways, proxies, isOn } = zones;
    return { name, gateways, proxies, isOn };
  },
  Fields: ZoneFields,
  summarize: ({ gateways, proxies }) =>
    [describeRanges(gateways, zones.gatewayRanges), describeRanges(proxies, zones.proxyRanges)]
      .filter(Boolean)
      .join(" · ") || zones.noAddresses,
  uses,
  Details: ZoneDetails,
};

/** The networks of the org. */
export function Zones() {
  return <RecordPage kind={ZONES} />;
}

function ZoneFields({ draft, onChange, faults }: Readonly<FieldsProps<Draft>>) {
  return (
    <>
      <NameField
        name={draft.name}
        onChange={(name) => {
          onChange({ name });
        }}
        error={faults["name"]}
      />
      <RangeLines
        label={zones.gateways}
        term="gateways"
        description={zones.aboutGateways}
        lines={draft.gateways}
        onChange={(gateways) => {
          onChange({ gateways });
        }}
        member="gateways"
        faults={faults}
      />
      <RangeLines
        label={zones.proxies}
        term="proxies"
        description={zones.aboutProxies}
        lines={draft.proxies}
        onChange={(proxies) => {
          onChange({ proxies });
        }}
        member="proxies"
        faults={faults}
      />
    </>
  );
}

function uses({ id }: Pick<Zone, "id">, { conditions: { network } }: Rule): boolean {
  return [...(network?.include ?? []), ...(network?.exclude ?? [])].includes(id);
}

function ZoneDetails({ record }: Readonly<{ record: Zone }>) {
  const note = (rules: readonly Rule[]) => {
    const ofAll = rules.filter((rule) => uses({ id: ALL_ZONES }, rule));
    return ofAll.length === 0 ? undefined : zones.inAnyZone({ n: ofAll.length });
  };
  return <UsedBy uses={(rule) => uses(record, rule)} note={note} />;
}

function describeRanges(ranges: Zone["gateways"], text: typeof zones.gatewayRanges): string {
  if (ranges.length === 0) return "";
  const shown = ranges.slice(0, SHOWN).map(({ value }) => value);
  const more = ranges.length > SHOWN ? ["…"] : [];
  return text({ n: ranges.length, ranges: [...shown, ...more].join(", ") });
}
