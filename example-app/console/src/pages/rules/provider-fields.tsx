import { MultiSelect, Stack, Switch, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { idpsQuery } from "../../api/queries.js";
import { sortByName } from "../../parts/collate.js";
import type { Faults } from "../../parts/faults.js";
import { Help, helped } from "../../parts/help.js";
import { HelpedFieldset } from "../../parts/helped-fieldset.js";
import { useSession } from "../../session/use-session.js";
import { ruleForm as texts } from "../../texts/en/rule-form.js";
import { rules } from "../../texts/en/rules.js";
import { ORG_ITSELF, type Draft } from "./draft.js";
import { visible } from "../../parts/visible.js";

interface ProviderFieldsProps {
  draft: Draft;
  onChange: (changes: Partial<Draft>) => void;
  faults: Faults;
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
    <HelpedFieldset legend={texts.providers} term="providers">
      <Stack gap="sm">
        {expression === undefined ? (
          <MultiSelect
            label={texts.idps}
            description={texts.order}
            data={[
              ...sortByName(idps).map(({ id, name, status }) => ({
                value: id,
                label: status === "ACTIVE" ? name : texts.inactive({ name }),
              })),
              { value: ORG_CHOICE, label: visible(rules.orgItself({ org: org.name })) },
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
            {...helped(texts.byName, "providerExpression")}
            description={texts.expression}
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
          <div className="helped">
            <Switch
              label={texts.findByName}
              checked={expression !== undefined}
              onChange={(event) => {
                onChange({ expression: event.currentTarget.checked ? BY_DOMAIN : undefined });
              }}
            />
            <Help term="dynamic" name={texts.findByName} />
          </div>
        )}
      </Stack>
    </HelpedFieldset>
  );
}
