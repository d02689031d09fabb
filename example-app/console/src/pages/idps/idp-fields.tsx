import { Fieldset, Group, Select, Stack, Textarea, TextInput } from "@mantine/core";
import type { FieldsProps } from "../../parts/records/kind.js";
import { PROTOCOL_WORDS, protocolsOf, TYPE_WORDS, withType, type Draft } from "./draft.js";

const TYPES = toChoices(TYPE_WORDS);
const BINDINGS = toChoices({ "HTTP-POST": "HTTP POST", "HTTP-REDIRECT": "HTTP redirect" } as const);

const TRUST = "protocol.credentials.trust";

/** Every field that an identity provider has. */
export function IdpFields({ draft, onChange, faults, isNew }: Readonly<FieldsProps<Draft>>) {
  const protocols = protocolsOf(draft.type).map((value) => ({ value, label: PROTOCOL_WORDS[value] }));
  const text = (member: "name" | "url" | "issuer" | "audience" | "clientId", path: string) => ({
    value: draft[member],
    onChange: (event: { currentTarget: { value: string } }) => {
      onChange({ [member]: event.currentTarget.value });
    },
    error: faults[path],
    spellCheck: false,
    autoComplete: "off",
  });
  return (
    <>
      <TextInput label="Name" {...text("name", "name")} maxLength={128} required data-autofocus />
      <Group grow align="flex-start">
        <Select
          label="Type"
          description={isNew ? undefined : "It can't change."}
          inputWrapperOrder={["label", "input", "description", "error"]}
          data={TYPES}
          value={draft.type}
          onChange={(type) => {
            if (type !== null) onChange(withType(type));
          }}
          error={faults["type"]}
          readOnly={!isNew}
          allowDeselect={false}
        />
        {protocols.length > 1 && (
          <Select
            label="Protocol"
            data={protocols}
            value={draft.protocolType}
            onChange={(protocolType) => {
              if (protocolType !== null) onChange({ protocolType });
            }}
            error={faults["protocol.type"]}
            allowDeselect={false}
          />
        )}
      </Group>
      <Fieldset legend="Where people sign in">
        <Stack gap="sm">
          <TextInput
            label="URL"
            placeholder="https://sso.contoso.example/saml"
            {...text("url", "protocol.endpoints.sso.url")}
            maxLength={2_048}
            required
          />
          <Select
            label="Binding"
            description="How a browser takes the request there."
            data={BINDINGS}
            value={draft.binding}
            onChange={(binding) => {
              if (binding !== null) onChange({ binding });
            }}
            error={faults["protocol.endpoints.sso.binding"]}
            allowDeselect={false}
          />
        </Stack>
      </Fieldset>
      <Fieldset legend="How it is trusted">
        <Stack gap="sm">
          <TextInput
            label="Issuer"
            description={draft.type === "SAML2" ? "The entity id. Without it there is no metadata." : undefined}
            {...text("issuer", `${TRUST}.issuer`)}
            maxLength={2_048}
          />
          <TextInput label="Audience" {...text("audience", `${TRUST}.audience`)} maxLength={2_048} />
          <Textarea
            label="Certificate"
            description="In PEM form; never a private key."
            placeholder="-----BEGIN CERTIFICATE-----"
            value={draft.certificate}
            onChange={(event) => {
              onChange({ certificate: event.currentTarget.value });
            }}
            error={faults[`${TRUST}.certificate`]}
            autosize
            minRows={2}
            maxRows={8}
            spellCheck={false}
            styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: "0.8em" } }}
          />
          <TextInput label="Client id" {...text("clientId", "protocol.credentials.client.clientId")} maxLength={128} />
        </Stack>
      </Fieldset>
    </>
  );
}

function toChoices<K extends string>(words: Readonly<Record<K, string>>): { value: K; label: string }[] {
  return Object.entries<string>(words).map(([value, label]) => ({ value: value as K, label }));
}
