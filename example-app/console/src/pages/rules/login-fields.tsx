import { ActionIcon, Button, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { useRef } from "react";
import type { MatchType, Pattern } from "../../api/types.js";
import { matchWords, warnOfSuffix } from "../../parts/describe-rule.js";
import type { Faults } from "../../parts/faults.js";
import { Help } from "../../parts/help.js";
import { HelpedFieldset } from "../../parts/helped-fieldset.js";
import { CrossIcon, PlusIcon } from "../../parts/icons.js";
import { ruleForm as texts } from "../../texts/en/rule-form.js";
import type { Draft } from "./draft.js";

interface LoginFieldsProps {
  draft: Draft;
  onChange: (changes: Partial<Draft>) => void;
  faults: Faults;
}

/** The condition on the login, or on an attribute of the user with this login. */
export function LoginFields({ draft, onChange, faults }: Readonly<LoginFieldsProps>) {
  const { attribute, patterns } = draft;
  const isAttribute = attribute !== undefined;
  return (
    <HelpedFieldset legend={texts.logins} term="userIdentifier">
      <Stack gap="sm">
        <Group grow>
          <Select
            aria-label={texts.compared}
            data={[
              { value: "login", label: texts.login },
              { value: "attribute", label: texts.userAttribute },
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
              aria-label={texts.attribute}
              placeholder="department"
              value={attribute}
              onChange={(event) => {
                onChange({ attribute: event.currentTarget.value });
              }}
              error={faults["conditions.userIdentifier.attribute"]}
              rightSection={<Help term="attribute" name={texts.attribute} />}
              rightSectionPointerEvents="all"
              required
            />
          )}
        </Group>
        {patterns.length > 0 && (
          <div className="helped">
            <Text size="sm" fw={500}>
              {texts.patterns}
            </Text>
            <Help term="matchType" name={texts.patterns} />
          </div>
        )}
        <Patterns draft={draft} onChange={onChange} faults={faults} />
      </Stack>
    </HelpedFieldset>
  );
}

function Patterns({ draft: { attribute, patterns }, onChange, faults }: Readonly<LoginFieldsProps>) {
  const add = useRef<HTMLButtonElement>(null);
  const isAttribute = attribute !== undefined;
  const matchTypes = Object.entries(matchWords(!isAttribute)).map(([value, label]) => ({ value, label }));
  const replace = (index: number, changes: Partial<Pattern>) => {
    onChange({ patterns: patterns.map((pattern, i) => (i === index ? { ...pattern, ...changes } : pattern)) });
  };
  return (
    <>
      {patterns.map(({ matchType, value }, index) => (
        <Group key={index} align="flex-start" wrap="nowrap" gap="xs">
          <Select
            aria-label={texts.how({ n: index + 1 })}
            data={matchTypes}
            value={matchType}
            onChange={(chosen) => {
              replace(index, { matchType: chosen as MatchType });
            }}
            allowDeselect={false}
            w={{ base: 150, sm: 200 }}
          />
          <TextInput
            aria-label={texts.pattern({ n: index + 1 })}
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
            aria-label={texts.removePattern({ n: index + 1 })}
            onClick={() => {
              onChange({ patterns: patterns.filter((_, i) => i !== index) });
              // the last button goes, with the focus
              if (index === patterns.length - 1) setTimeout(() => add.current?.focus());
            }}
          >
            <CrossIcon />
          </ActionIcon>
        </Group>
      ))}
      {(!isAttribute || patterns.length === 0) && (
        <Button
          ref={add}
          variant="subtle"
          size="xs"
          leftSection={<PlusIcon size={14} />}
          style={{ alignSelf: "flex-start" }}
          onClick={() => {
            onChange({ patterns: [...patterns, { matchType: "SUFFIX", value: "" }] });
          }}
        >
          {patterns.length === 0 ? texts.onlySome : texts.another}
        </Button>
      )}
    </>
  );
}
