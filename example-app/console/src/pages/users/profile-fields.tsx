import { SimpleGrid, TextInput } from "@mantine/core";
import type { Faults } from "../../parts/faults.js";
import { helped } from "../../parts/help.js";
import { users } from "../../texts/en/users.js";
import { AttributeFields } from "./attribute-fields.js";
import { MAIN_NAMES, type Draft } from "./draft.js";

interface ProfileFieldsProps {
  draft: Draft;
  onChange: (draft: Draft) => void;
  /** What can't be sent, by the key of the attribute. */
  faults: ReadonlyMap<number, string>;
  /** What the server found wrong: its causes, and those by the name of a field. */
  causes: readonly string[];
  fieldFaults: Faults;
  isReadOnly?: boolean;
}

const MAX_LENGTHS = { login: 255, email: 255, firstName: 128, lastName: 128 };

/** What the form calls a member of a profile. */
export function labelOf(name: string): string {
  const main = MAIN_NAMES.find((one) => one === name);
  return main ? users[main] : name;
}

/** Everything in a profile. */
export function ProfileFields(props: Readonly<ProfileFieldsProps>) {
  const { draft, onChange, faults, causes, fieldFaults, isReadOnly = false } = props;
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        {MAIN_NAMES.map((name, index) => (
          <TextInput
            key={name}
            {...(name === "login" ? helped(users.login, "login") : { label: users[name] })}
            value={draft.main[name]}
            onChange={(event) => {
              onChange({ ...draft, main: { ...draft.main, [name]: event.currentTarget.value } });
            }}
            error={fieldFaults[`profile.${name}`] ?? fieldFaults[name]}
            maxLength={MAX_LENGTHS[name]}
            readOnly={isReadOnly}
            required
            autoComplete="off"
            data-autofocus={index === 0 || undefined}
          />
        ))}
      </SimpleGrid>
      <AttributeFields
        attributes={draft.attributes}
        onChange={(attributes) => {
          onChange({ ...draft, attributes });
        }}
        faults={faults}
        causes={causes}
        isReadOnly={isReadOnly}
      />
    </>
  );
}
