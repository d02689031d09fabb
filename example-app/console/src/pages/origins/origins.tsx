import { Checkbox, Stack, TextInput } from "@mantine/core";
import type { TrustedOrigin } from "../../api/types.js";
import { NameField } from "../../parts/name-field.js";
import { statusOf, type FieldsProps, type RecordKind, type Switched } from "../../parts/records/kind.js";
import { RecordPage } from "../../parts/records/record-page.js";
import { requests, type Body } from "./requests.js";

interface Draft extends Switched {
  readonly name: string;
  readonly origin: string;
  readonly scopes: readonly string[];
}

type Scope = TrustedOrigin["scopes"][number]["type"];

const SCOPES: Readonly<Record<Scope, { label: string; description: string }>> = {
  CORS: { label: "May call the API", description: "Its pages may use the API from a browser (CORS), with a token." },
  REDIRECT: { label: "May be returned to", description: "After signing in, a person may return to its pages." },
};

export const ORIGINS: RecordKind<TrustedOrigin, Draft, Body> = {
  title: "Trusted origins",
  about: "Sites whose pages may call the API of this org, or to which people may return after signing in.",
  one: "trusted origin",
  many: "trusted origins",
  path: "/api/v1/trustedOrigins",
  page: "/origins",
  key: "trustedOrigins",
  scope: "trustedOrigins",
  empty: "Add the origin of a site of yours, such as https://portal.example.com.",
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
  labels: { name: "Name", origin: "Origin", scopes: "What it may do", isOn: "The trusted origin is on" },
  Fields: OriginFields,
  summarize: ({ origin, scopes }) =>
    `${origin} · ${scopes.map(({ type }) => SCOPES[type].label.toLowerCase()).join(", ")}`,
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
        label="Origin"
        description="As browsers send it: the scheme, the host and a port if it is not the usual one. No path."
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
        label="What it may do"
        value={[...draft.scopes]}
        onChange={(scopes) => {
          onChange({ scopes });
        }}
        error={faults["scopes"]}
      >
        <Stack gap="xs" mt="xs">
          {Object.entries(SCOPES).map(([type, { label, description }]) => (
            <Checkbox key={type} value={type} label={label} description={description} />
          ))}
        </Stack>
      </Checkbox.Group>
    </>
  );
}
