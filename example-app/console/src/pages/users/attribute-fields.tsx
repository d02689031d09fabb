import { ActionIcon, Button, Group, Select, Stack, Switch, TagsInput, Textarea, TextInput } from "@mantine/core";
import { useRef, type ReactNode } from "react";
import { HelpedFieldset } from "../../parts/helped-fieldset.js";
import { CrossIcon, PlusIcon } from "../../parts/icons.js";
import { ServerText } from "../../parts/server-text.js";
import { userForm } from "../../texts/en/user-form.js";
import { findCause, KINDS, newAttribute, withKind, type Attribute, type Draft } from "./draft.js";

interface AttributeFieldsProps {
  attributes: Draft["attributes"];
  onChange: (attributes: Draft["attributes"]) => void;
  /** By the key of the attribute. */
  faults: ReadonlyMap<number, string>;
  /** The causes of the last save that failed. */
  causes: readonly string[];
  isReadOnly: boolean;
}

/** The org's own attributes: names, kinds and values. */
export function AttributeFields({ attributes, onChange, faults, causes, isReadOnly }: Readonly<AttributeFieldsProps>) {
  const add = useRef<HTMLButtonElement>(null);
  return (
    <HelpedFieldset legend={userForm.others} term="attributes">
      <Stack gap="sm">
        {attributes.map((attribute) => (
          <AttributeRow
            key={attribute.key}
            attribute={attribute}
            fault={faults.get(attribute.key) ?? faultOf(causes, attribute)}
            isReadOnly={isReadOnly}
            onChange={(changed) => {
              onChange(attributes.map((each) => (each === attribute ? changed : each)));
            }}
            onRemove={() => {
              onChange(attributes.filter((each) => each !== attribute));
              add.current?.focus(); // the button that had the focus is about to go
            }}
          />
        ))}
        {!isReadOnly && (
          <Button
            ref={add}
            variant="subtle"
            size="xs"
            leftSection={<PlusIcon size={14} />}
            style={{ alignSelf: "flex-start" }}
            onClick={() => {
              onChange([...attributes, newAttribute(attributes)]);
            }}
          >
            {userForm.add}
          </Button>
        )}
      </Stack>
    </HelpedFieldset>
  );
}

/** What the server found wrong with the attribute. */
function faultOf(causes: readonly string[], { name }: Attribute): ReactNode {
  const cause = findCause(causes, name);
  return cause !== undefined && <ServerText text={cause} />;
}

interface AttributeRowProps {
  attribute: Attribute;
  fault: ReactNode;
  isReadOnly: boolean;
  onChange: (attribute: Attribute) => void;
  onRemove: () => void;
}

function AttributeRow({ attribute, fault, isReadOnly, onChange, onRemove }: Readonly<AttributeRowProps>) {
  const { name, kind } = attribute;
  const label = name === "" ? userForm.newOne : name;
  return (
    <Group gap="xs" align="flex-start" role="group" aria-label={label}>
      <TextInput
        aria-label={userForm.nameOf({ label })}
        placeholder="department"
        value={name}
        onChange={(event) => {
          onChange({ ...attribute, name: event.currentTarget.value });
        }}
        readOnly={isReadOnly}
        maxLength={64}
        w={150}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
      />
      <Select
        aria-label={userForm.kindOf({ label })}
        data={KINDS.map((value) => ({ value, label: userForm[value] }))}
        value={kind}
        onChange={(chosen) => {
          if (chosen !== null) onChange(withKind(attribute, chosen));
        }}
        readOnly={isReadOnly}
        allowDeselect={false}
        w={118}
      />
      <Group flex="1 1 240px" gap="xs" align="flex-start" wrap="nowrap">
        <Value attribute={attribute} fault={fault} isReadOnly={isReadOnly} onChange={onChange} />
        {!isReadOnly && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={userForm.remove({ label })}
            onClick={onRemove}
          >
            <CrossIcon />
          </ActionIcon>
        )}
      </Group>
    </Group>
  );
}

function Value({ attribute, fault, isReadOnly, onChange }: Readonly<Omit<AttributeRowProps, "onRemove">>) {
  const { name, kind, text, isOn, items } = attribute;
  const shared = { "aria-label": userForm.valueOf({ label: name }), error: fault, flex: 1, miw: 0 };
  if (kind === "boolean") {
    return (
      <Switch
        {...shared}
        label={isOn ? userForm.yes : userForm.no}
        checked={isOn}
        disabled={isReadOnly}
        onChange={(event) => {
          onChange({ ...attribute, isOn: event.currentTarget.checked });
        }}
        mt={8}
      />
    );
  }
  if (kind === "texts" || kind === "numbers") {
    return (
      <TagsInput
        {...shared}
        placeholder={isReadOnly ? "" : userForm.enterAdds}
        value={[...items]}
        onChange={(values) => {
          onChange({ ...attribute, items: values });
        }}
        readOnly={isReadOnly}
        splitChars={[]}
        allowDuplicates
      />
    );
  }
  return (
    <Textarea
      {...shared}
      value={text}
      onChange={(event) => {
        onChange({ ...attribute, text: event.currentTarget.value });
      }}
      readOnly={isReadOnly}
      autosize
      minRows={1}
      maxRows={6}
    />
  );
}
