import { Fieldset, Group, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import type { FieldsProps } from "../../parts/records/kind.js";
import {
  credentialsOf,
  hasFetchedMetadata,
  PROTOCOL_WORDS,
  protocolsOf,
  TYPE_WORDS,
  withType,
  type Credential,
  type Draft,
} from "./draft.js";

const TYPES = toChoices(TYPE_WORDS);
const BINDINGS = toChoices({ "HTTP-POST": "HTTP POST", "HTTP-REDIRECT": "HTTP redirect" } as const);

const TRUST = "protocol.credentials.trust";

type Edited = Pick<FieldsProps<Draft>, "draft" | "onChange" | "faults">;

/** Every field that an identity provider of its type has. */
export function IdpFields({ draft, onChange, faults, isNew }: Readonly<FieldsProps<Draft>>) {
  const protocols = protocolsOf(draft.type).map((value) => ({ value, label: PROTOCOL_WORDS[value] }));
  const text = textOf({ draft, onChange, faults });
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
            label="Sign-on address"
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
          {(hasFetchedMetadata(draft) || draft.metadataUrl !== "") && (
            <TextInput
              label="Metadata address"
              description="If the provider has one: the server keeps the sign-on address and the certificate up to date. It needs the issuer."
              placeholder="https://sso.contoso.example/metadata"
              {...text("metadataUrl", "protocol.metadata.url")}
              error={faults["protocol.metadata.url"] ?? faults["protocol.metadata"]}
              maxLength={2_048}
            />
          )}
        </Stack>
      </Fieldset>
      <CredentialFields draft={draft} onChange={onChange} faults={faults} />
    </>
  );
}

/** Shows the credentials of the type, and those that are stored of another type, so that nothing is stored unseen. */
function CredentialFields({ draft, onChange, faults }: Readonly<Edited>) {
  const [stored] = useState(draft);
  const isShown = (name: Credential) => credentialsOf(draft.type).includes(name) || stored[name] !== "";
  const text = textOf({ draft, onChange, faults });
  return (
    <Fieldset legend="How it is trusted">
      <Stack gap="sm">
        <TextInput
          label="Issuer"
          description={draft.type === "SAML2" ? "The entity id. Without it there is no metadata." : undefined}
          {...text("issuer", `${TRUST}.issuer`)}
          maxLength={2_048}
        />
        {isShown("audience") && (
          <TextInput label="Audience" {...text("audience", `${TRUST}.audience`)} maxLength={2_048} />
        )}
        {isShown("certificate") && (
          <Textarea
            label="Certificate"
            description="In PEM form; never a private key."
            placeholder="-----BEGIN CERTIFICATE-----"
            {...text("certificate", `${TRUST}.certificate`)}
            autosize
            minRows={2}
            maxRows={8}
            styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: "0.8em" } }}
          />
        )}
        {isShown("clientId") && (
          <TextInput label="Client id" {...text("clientId", "protocol.credentials.client.clientId")} maxLength={128} />
        )}
      </Stack>
    </Fieldset>
  );
}

/** What a field for one line or more of text needs. */
function textOf({ draft, onChange, faults }: Readonly<Edited>) {
  return (member: "name" | "url" | "metadataUrl" | Credential, path: string) => ({
    value: draft[member],
    onChange: (event: { currentTarget: { value: string } }) => {
      onChange({ [member]: event.currentTarget.value });
    },
    error: faults[path],
    spellCheck: false,
    autoComplete: "off",
  });
}

function toChoices<K extends string>(words: Readonly<Record<K, string>>): { value: K; label: string }[] {
  return Object.entries<string>(words).map(([value, label]) => ({ value: value as K, label }));
}
