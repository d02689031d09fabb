import { Fieldset, MultiSelect, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { zonesQuery } from "../../api/queries.js";
import { describePlatformEntry, OS_WORDS, PLATFORM_WORDS } from "../../parts/describe-rule.js";
import { useScope } from "../../session/use-session.js";
import { parsePlatform, type Draft, type Lists } from "./draft.js";

interface ListFieldsProps {
  draft: Draft;
  onChange: (changes: Partial<Draft>) => void;
}

interface Choice {
  value: string;
  label: string;
}

const PLATFORMS: Choice[] = Object.keys(PLATFORM_WORDS).flatMap((type) =>
  Object.keys(OS_WORDS).map((os) => {
    const value = `${type}/${os}`;
    return { value, label: describePlatformEntry(parsePlatform(value)) };
  }),
);

/** The conditions on the client: its address and its device. */
export function ListFields({ draft, onChange }: Readonly<ListFieldsProps>) {
  const { data: zones = [] } = useQuery({ ...zonesQuery, enabled: useScope("zones.read") });
  const places = [
    { value: "ALL_ZONES", label: "Any zone" },
    ...zones.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <>
      <TwoLists
        legend="Where from"
        include="In one of these zones"
        exclude="In none of these zones"
        choices={places}
        lists={draft.zones}
        onChange={(lists) => {
          onChange({ zones: lists });
        }}
      />
      <TwoLists
        legend="With which device"
        include="One of these devices"
        exclude="None of these devices"
        choices={PLATFORMS}
        lists={draft.platforms}
        onChange={(lists) => {
          onChange({ platforms: lists });
        }}
      />
    </>
  );
}

interface TwoListsProps {
  legend: string;
  include: string;
  exclude: string;
  choices: Choice[];
  lists: Lists;
  onChange: (lists: Lists) => void;
}

function TwoLists({ legend, include, exclude, choices, lists, onChange }: Readonly<TwoListsProps>) {
  const shared = { data: choices, searchable: true, clearable: true, limit: 50, hidePickedOptions: true };
  return (
    <Fieldset legend={legend}>
      <Stack gap="sm">
        <MultiSelect
          {...shared}
          label={include}
          placeholder={lists.include.length === 0 ? "any" : ""}
          value={[...lists.include]}
          onChange={(values) => {
            onChange({ ...lists, include: values });
          }}
        />
        <MultiSelect
          {...shared}
          label={exclude}
          value={[...lists.exclude]}
          onChange={(values) => {
            onChange({ ...lists, exclude: values });
          }}
        />
      </Stack>
    </Fieldset>
  );
}
