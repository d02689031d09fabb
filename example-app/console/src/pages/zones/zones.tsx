import type { Rule, Zone } from "../../api/types.js";
import { NameField } from "../../parts/name-field.js";
import type { FieldsProps, RecordKind } from "../../parts/records/kind.js";
import { RecordPage } from "../../parts/records/record-page.js";
import { UsedBy } from "../../parts/records/used-by.js";
import { NEW_ZONE, toBody, toDraft, type Draft } from "./draft.js";
import { RangeLines } from "./range-lines.js";
import { requests, type Body } from "./requests.js";

const ALL_ZONES = "ALL_ZONES";

/** How many ranges the line about a zone shows. */
const SHOWN = 3;

export const ZONES: RecordKind<Zone, Draft, Body> = {
  title: "Zones",
  about: "Networks, such as those of your offices. Rules ask whether a login comes from one of them.",
  one: "zone",
  many: "zones",
  path: "/api/v1/zones",
  page: "/zones",
  key: "zones",
  scope: "zones",
  empty: "Add one with the addresses of an office. Then a rule can treat logins from there in another way.",
  requests,
  newDraft: NEW_ZONE,
  toDraft,
  toBody,
  labels: { name: "Name", gateways: "Gateways", proxies: "Proxies", isOn: "The zone is on" },
  Fields: ZoneFields,
  summarize: ({ gateways, proxies }) =>
    [describeRanges(gateways, "gateway", "gateways"), describeRanges(proxies, "proxy", "proxies")]
      .filter(Boolean)
      .join(" · ") || "No addresses",
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
        label="Gateways"
        description="Who has one of these addresses is in the zone. One block, address or range a line."
        lines={draft.gateways}
        onChange={(gateways) => {
          onChange({ gateways });
        }}
        member="gateways"
        faults={faults}
      />
      <RangeLines
        label="Proxies"
        description="Your own proxies: the org believes which address they report in X-Forwarded-For."
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
    if (ofAll.length === 0) return undefined;
    return ofAll.length === 1 ? "One rule asks for any zone." : `${ofAll.length} rules ask for any zone.`;
  };
  return <UsedBy uses={(rule) => uses(record, rule)} note={note} />;
}

function describeRanges(ranges: Zone["gateways"], one: string, many: string): string {
  if (ranges.length === 0) return "";
  const shown = ranges.slice(0, SHOWN).map(({ value }) => value);
  const more = ranges.length > SHOWN ? ["…"] : [];
  return `${ranges.length} ${ranges.length === 1 ? one : many}: ${[...shown, ...more].join(", ")}`;
}
