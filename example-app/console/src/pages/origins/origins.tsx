import { Checkbox, Stack, TextInput } from "@mantine/core";
import type { TrustedOrigin } from "../../api/types.js";
import { helped } from "../../parts/help.js";
import { NameField } from "../../parts/name-field.js";
import { statusOf, type FieldsProps, type RecordKind, type Switched } from "../../parts/records/kind.js";
import { RecordPage } from "../../parts/records/record-page.js";
import { originRecord } from "../../texts/en/origin-record.js";
import { origins } from "../../texts/en/origins.js";
import { pages } from "../../texts/en/pages.js";
import { requests, type Body } from "./requests.js";

interface Draft extends Switched {
  readonly name: string;
  readonly origin: string;
  readonly scopes: readonly string[];
}

type Scope = TrustedOrigin["scopes"][number]["type"];

const SCOPES = ["CORS", "REDIRECT"] as const satisfies readonly Scope[];

export const ORIGINS: RecordKind<TrustedOrigin, Draft, Body> = {
  get title() {
    return pages.origins;
  },
  term: "origins",
  get about() {
    return origins.about;
  },
  texts: originRecord,
  path: "/api/v1/trustedOrigins",
  page: "/origins",
  key: "trustedOrigins",
  scope: "trustedOrigins",
  get empty() {
    return origins.empty;
  },
  requests,
  newDraft: { name: "", origin: "", scopes: ["CORS"], isOn: true },
  toDraft: ({ name, origin, scopes, status }) => ({
    name,
    origin,
    scopes: scopes.map(({ type }) => type),
    isOn: status === "ACTIVE",
  }),
  toBody: ({ name, origin, scopes, isOn }) => ({
    name,
    origin,
    scopes: scopes.map((type) => ({ type: type as Scope })),
    status: statusOf(isOn),
  }),
  get labels() {
    const { name, origin, scopes, isOn } = origins;
    return { name, origin, scopes, isOn };
  },
  Fields: OriginFields,
  summarize: ({ origin, scopes: [first, second] }) => {
    if (second) return origins.mayBoth({ origin });
    return first?.type === "REDIRECT" ? origins.mayREDIRECT({ origin }) : origins.mayCORS({ origin });
  },
};

/** The origins that the org trusts. */
export function Origins() {
  return <RecordPage kind={ORIGINS} />;
}

function OriginFields({ draft, onChange, faults }: Readonly<FieldsProps<Draft>>) {
  return (
    <>
      <NameField
        name={draft.name}
        onChange={(name) => {
          onChange({ name });
        }}
        error={faults["name"]}
      />
      <TextInput
        {...helped(origins.origin, "origin")}
        description={origins.aboutOrigin}
        placeholder="https://portal.example.com"
        value={draft.origin}
        onChange={(event) => {
          onChange({ origin: event.currentTarget.value });
        }}
        error={faults["origin"]}
        maxLength={300}
        required
        spellCheck={false}
        autoComplete="off"
      />
      <Checkbox.Group
        {...helped(origins.scopes, "originScopes")}
        value={[...draft.scopes]}
        onChange={(scopes) => {
          onChange({ scopes });
        }}
        error={faults["scopes"]}
      >
        <Stack gap="xs" mt="xs">
          {SCOPES.map((type) => (
            <Checkbox key={type} value={type} label={origins[type]} description={origins[`about${type}`]} />
          ))}
        </Stack>
      </Checkbox.Group>
    </>
  );
}
