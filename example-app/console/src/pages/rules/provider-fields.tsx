import { Fieldset, MultiSelect, Stack, Switch, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { idpsQuery } from "../../api/queries.js";
import { useSession } from "../../session/use-session.js";
import { ORG_ITSELF, type Draft } from "./draft.js";
import { visible } from "../../parts/visible.js";

interface ProviderFieldsProps {
  draft: Draft;
  onChange: (changes: Partial<Draft>) => void;
  faults: Readonly<Record<string, string>>;
  isDefault: boolean;
}

const BY_DOMAIN = "login.identifier.substringAfter('@').toLowerCase()";

/** A choice needs a value. */
const ORG_CHOICE = "org";

/** Who signs in those for whom the rule holds. */
export function ProviderFields({ draft, onChange, faults, isDefault }: Readonly<ProviderFieldsProps>) {
  const { org } = useSession();
  const { data: idps = [] } = useQuery(idpsQuery);
  const { expression, providers } = draft;
  return (
    <Fieldset legend="Who signs them in">
      <Stack gap="sm">
        {expression === undefined ? (
          <MultiSelect
            label="Identity providers"
            description="In order of preference. Inactive ones are skipped."
            data={[
              ...idps.map(({ id, name, status }) => ({
                value: id,
                label: status === "ACTIVE" ? name : `${name} (inactive)`,
              })),
              { value: ORG_CHOICE, label: visible(`${org.name} itself`) },
            ]}
            value={providers.map((id) => (id === ORG_ITSELF ? ORG_CHOICE : id))}
            onChange={(values) => {
              onChange({ providers: values.map((value) => (value === ORG_CHOICE ? ORG_ITSELF : value)) });
            }}
            error={faults["actions.idp.providers"] ?? faults["actions.idp.providers[0].id"]}
            maxValues={10}
            searchable
            hidePickedOptions
          />
        ) : (
          <TextInput
            label="The provider with this name"
            description="An expression on the login"
            value={expression}
            onChange={(event) => {
              onChange({ expression: event.currentTarget.value });
            }}
            error={faults["actions.idp.matchCriteria[0].providerExpression"]}
            maxLength={255}
            styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          />
        )}
        {!isDefault && (
          <Switch
            label="Find the provider by its name"
            checked={expression !== undefined}
            onChange={(event) => {
              onChange({ expression: event.currentTarget.checked ? BY_DOMAIN : undefined });
            }}
          />
        )}
      </Stack>
    </Fieldset>
  );
}
