import { Badge, Box, Button, Group, Switch, Text } from "@mantine/core";
import { records } from "../../texts/en/records.js";
import { Refusal } from "../refusal.js";
import type { NamedRecord, RecordKind, Switched } from "./kind.js";
import { visible } from "../visible.js";
import { RecordLink } from "./record-link.js";
import { useSwitch, type SwitchedKind } from "./use-switch.js";

interface RecordRowProps<R extends NamedRecord> {
  kind: SwitchedKind<R> & Pick<RecordKind<R, Switched>, "page" | "summarize" | "Note">;
  record: R;
  canWrite: boolean;
  onOpen: () => void;
}

/** A record in the list, with its switch. */
export function RecordRow<R extends NamedRecord>({ kind, record, canWrite, onOpen }: Readonly<RecordRowProps<R>>) {
  const { id, name } = record;
  const { Note, texts } = kind;
  const toggle = useSwitch(kind, record);
  const { isActive } = toggle;
  return (
    <Box px="md" py="sm">
      <Group gap="sm" align="flex-start">
        <Box flex="1 1 220px" miw={0}>
          <Group gap="xs">
            <RecordLink page={kind.page} id={id} name={name} fw={600} />
            {!isActive && (
              <Badge variant="light" color="yellow" tt="none">
                {records.off}
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed" className="foreign">
            {visible(kind.summarize(record))}
          </Text>
          {Note && <Note record={record} />}
        </Box>
        <Group gap="sm" wrap="nowrap">
          {canWrite && (
            <Switch
              checked={isActive}
              disabled={toggle.isPending}
              onChange={toggle.start}
              aria-label={texts.isOn({ name: visible(name) })}
            />
          )}
          <Button
            size="xs"
            variant="default"
            aria-label={(canWrite ? texts.editNamed : texts.showNamed)({ name: visible(name) })}
            onClick={onOpen}
          >
            {canWrite ? records.edit : records.show}
          </Button>
        </Group>
      </Group>
      {toggle.dialog}
      <Refusal writing={toggle.writing} title={texts.notSwitched} action={records.switchAnyway} />
    </Box>
  );
}
