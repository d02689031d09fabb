import { Fieldset, Group, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { helped } from "../../parts/help.js";
import type { FieldsProps } from "../../parts/records/kind.js";
import { idps } from "../../texts/en/idps.js";
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
      <TextInput label={idps.name} {...text("name", "name")} maxLength={128} required data-autofocus />
      <Group grow align="flex-start">
        <Select
          {...helped(idps.type, "idpType")}
          description={isNew ? undefined : idps.typeFixed}
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
            {...helped(idps.protocolType, "protocol")}
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
      <Fieldset legend={idps.where}>
        <Stack gap="sm">
          <TextInput
            {...helped(idps.url, "ssoUrl")}
            placeholder="https://sso.contoso.example/saml"
            {...text("url", "protocol.endpoints.sso.url")}
            maxLength={2_048}
            required
          />
          <Select
            {...helped(idps.binding, "binding")}
            description={idps.aboutBinding}
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
              {...helped(idps.metadataUrl, "metadataUrl")}
              description={idps.aboutMetadataUrl}
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
    <Fieldset legend={idps.trust}>
      <Stack gap="sm">
        <TextInput
          {...helped(idps.issuer, "issuer")}
          description={draft.type === "SAML2" ? idps.aboutIssuer : undefined}
          {...text("issuer", `${TRUST}.issuer`)}
          maxLength={2_048}
        />
        {isShown("audience") && (
          <TextInput
            {...helped(idps.audience, "audience")}
            {...text("audience", `${TRUST}.audience`)}
            maxLength={2_048}
          />
        )}
        {isShown("certificate") && (
          <Textarea
            {...helped(idps.certificate, "certificate")}
            description={idps.aboutCertificate}
            placeholder="-----BEGIN CERTIFICATE-----"
            {...text("certificate", `${TRUST}.certificate`)}
            autosize
            minRows={2}
            maxRows={8}
            styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: "0.8em" } }}
          />
        )}
        {isShown("clientId") && (
          <TextInput
            {...helped(idps.clientId, "clientId")}
            {...text("clientId", "protocol.credentials.client.clientId")}
            maxLength={128}
          />
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
