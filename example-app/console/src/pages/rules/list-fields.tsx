import { Button, Group, MultiSelect, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { zonesQuery } from "../../api/queries.js";
import { sortByName } from "../../parts/collate.js";
import { describePlatformEntry, OS_WORDS, PLATFORM_WORDS } from "../../parts/describe-rule.js";
import type { Faults } from "../../parts/faults.js";
import { Help, type Term } from "../../parts/help.js";
import { HelpedFieldset } from "../../parts/helped-fieldset.js";
import { useScope } from "../../session/use-session.js";
import { ruleForm as texts } from "../../texts/en/rule-form.js";
import { parsePlatform, type Draft, type Lists } from "./draft.js";

interface ListFieldsProps {
  draft: Draft;
  onChange: (changes: Partial<Draft>) => void;
  faults: Faults;
}

interface Choice {
  value: string;
  label: string;
}

const PLATFORMS: readonly string[] = Object.keys(PLATFORM_WORDS).flatMap((type) =>
  Object.keys(OS_WORDS).map((os) => `${type}/${os}`),
);

/** The conditions on the client: its address and its device. */
export function ListFields({ draft, onChange, faults }: Readonly<ListFieldsProps>) {
  const { data: zones = [] } = useQuery({ ...zonesQuery, enabled: useScope("zones.read") });
  const places = [
    { value: "ALL_ZONES", label: texts.anyZone },
    ...sortByName(zones).map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <>
      <TwoLists
        legend={texts.from}
        term="network"
        any={texts.anyNetwork}
        include={texts.inZones}
        exclude={texts.notInZones}
        choices={places}
        lists={draft.zones}
        path="conditions.network"
        faults={faults}
        onChange={(lists) => {
          onChange({ zones: lists });
        }}
      />
      <TwoLists
        legend={texts.device}
        term="platform"
        any={texts.anyDevice}
        include={texts.onDevices}
        exclude={texts.notOnDevices}
        choices={PLATFORMS.map((value) => ({ value, label: describePlatformEntry(parsePlatform(value)) }))}
        lists={draft.platforms}
        path="conditions.platform"
        faults={faults}
        onChange={(lists) => {
          onChange({ platforms: lists });
        }}
      />
    </>
  );
}

interface TwoListsProps {
  legend: string;
  term: Term;
  /** What holds while both are empty. */
  any: string;
  include: string;
  exclude: string;
  choices: Choice[];
  lists: Lists;
  /** The member of the rule. */
  path: string;
  faults: Faults;
  onChange: (lists: Lists) => void;
}

/** Two lists, which are folded into a line until one of them is used, or has a mistake. */
function TwoLists(props: Readonly<TwoListsProps>) {
  const { legend, term, any, include, exclude, choices, lists, path, faults, onChange } = props;
  const [isOpened, setOpened] = useState(false);
  const faultOf = (member: string) => Object.entries(faults).find(([name]) => name.startsWith(member))?.[1];
  const isUsed = lists.include.length + lists.exclude.length > 0;
  if (!isOpened && !isUsed && faultOf(path) === undefined) {
    return (
      <Group gap={4}>
        <Text size="sm">
          {texts.folded({
            legend: (
              <Text key="legend" span fw={500} inherit>
                {texts.legend({ legend })}
              </Text>
            ),
            any,
          })}
        </Text>
        <Help term={term} name={legend} />
        <Button
          variant="default"
          size="compact-sm"
          ml="xs"
          aria-expanded={false}
          aria-label={texts.changeNamed({ legend })}
          onClick={() => {
            setOpened(true);
          }}
        >
          {texts.change}
        </Button>
      </Group>
    );
  }
  const shared = { data: choices, searchable: true, clearable: true, limit: 50, hidePickedOptions: true };
  return (
    <HelpedFieldset legend={legend} term={term}>
      <Stack gap="sm">
        <MultiSelect
          {...shared}
          label={include}
          placeholder={lists.include.length === 0 ? texts.any : ""}
          value={[...lists.include]}
          autoFocus={isOpened && !isUsed}
          onChange={(values) => {
            setOpened(true); // also when the last one goes
            onChange({ ...lists, include: values });
          }}
          error={faultOf(`${path}.include`) ?? faults[path]}
        />
        <MultiSelect
          {...shared}
          label={exclude}
          value={[...lists.exclude]}
          onChange={(values) => {
            setOpened(true);
            onChange({ ...lists, exclude: values });
          }}
          error={faultOf(`${path}.exclude`)}
        />
      </Stack>
    </HelpedFieldset>
  );
}
