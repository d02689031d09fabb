import { ActionIcon, Button, Fieldset, Group, Select, Stack, TextInput } from "@mantine/core";
import type { MatchType, Pattern } from "../../api/types.js";
import { matchWords, warnOfSuffix } from "../../parts/describe-rule.js";
import { CrossIcon, PlusIcon } from "../../parts/icons.js";
import type { Draft } from "./draft.js";

interface LoginFieldsProps {
  draft: Draft;
  onChange: (changes: Partial<Draft>) => void;
  faults: Readonly<Record<string, string>>;
}

/** The condition on the login, or on an attribute of the user with this login. */
export function LoginFields({ draft, onChange, faults }: Readonly<LoginFieldsProps>) {
  const { attribute, patterns } = draft;
  const isAttribute = attribute !== undefined;
  const matchTypes = Object.entries(matchWords(!isAttribute)).map(([value, label]) => ({ value, label }));
  const replace = (index: number, changes: Partial<Pattern>) => {
    onChange({ patterns: patterns.map((pattern, i) => (i === index ? { ...pattern, ...changes } : pattern)) });
  };
  return (
    <Fieldset legend="Which logins">
      <Stack gap="sm">
        <Group grow>
          <Select
            aria-label="What is compared"
            data={[
              { value: "login", label: "The login" },
              { value: "attribute", label: "An attribute of the user" },
            ]}
            value={isAttribute ? "attribute" : "login"}
            onChange={(value) => {
              onChange(
                value === "attribute" ? { attribute: "", patterns: patterns.slice(0, 1) } : { attribute: undefined },
              );
            }}
            allowDeselect={false}
          />
          {isAttribute && (
            <TextInput
              aria-label="Attribute"
              placeholder="department"
              value={attribute}
              onChange={(event) => {
                onChange({ attribute: event.currentTarget.value });
              }}
              error={faults["conditions.userIdentifier.attribute"]}
              required
            />
          )}
        </Group>
        {patterns.map(({ matchType, value }, index) => (
          <Group key={index} align="flex-start" wrap="nowrap" gap="xs">
            <Select
              aria-label={`How pattern ${index + 1} is compared`}
              data={matchTypes}
              value={matchType}
              onChange={(chosen) => {
                replace(index, { matchType: chosen as MatchType });
              }}
              allowDeselect={false}
              w={160}
            />
            <TextInput
              aria-label={`Pattern ${index + 1}`}
              placeholder="example.com"
              value={value}
              onChange={(event) => {
                replace(index, { value: event.currentTarget.value });
              }}
              error={faults[`conditions.userIdentifier.patterns[${index}].value`]}
              description={isAttribute ? undefined : warnOfSuffix({ matchType, value })}
              inputWrapperOrder={["input", "description", "error"]}
              maxLength={255}
              required
              flex={1}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={`Remove pattern ${index + 1}`}
              onClick={() => {
                onChange({ patterns: patterns.filter((_, i) => i !== index) });
              }}
            >
              <CrossIcon />
            </ActionIcon>
          </Group>
        ))}
        {(!isAttribute || patterns.length === 0) && (
          <Button
            variant="subtle"
            size="xs"
            leftSection={<PlusIcon size={14} />}
            style={{ alignSelf: "flex-start" }}
            onClick={() => {
              onChange({ patterns: [...patterns, { matchType: "SUFFIX", value: "" }] });
            }}
          >
            {patterns.length === 0 ? "Only some logins" : "Or another pattern"}
          </Button>
        )}
      </Stack>
    </Fieldset>
  );
}
