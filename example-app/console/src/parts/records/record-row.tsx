import { Badge, Box, Button, Group, Switch, Text } from "@mantine/core";
import { Refusal } from "../refusal.js";
import { useAllowedWrite } from "../use-allowed-write.js";
import type { NamedRecord, RecordKind, Switched } from "./kind.js";
import { visible } from "../visible.js";
import { RecordLink } from "./record-link.js";

interface RecordRowProps<R extends NamedRecord> {
  kind: Pick<RecordKind<R, Switched>, "key" | "one" | "page" | "summarize" | "Note"> & {
    requests: Pick<RecordKind<R, Switched>["requests"], "activate" | "deactivate">;
  };
  record: R;
  canWrite: boolean;
  onOpen: () => void;
}

/** A record in the list, with its switch. */
export function RecordRow<R extends NamedRecord>({ kind, record, canWrite, onOpen }: Readonly<RecordRowProps<R>>) {
  const { id, name, status } = record;
  const isActive = status === "ACTIVE";
  const { Note } = kind;
  const { activate, deactivate } = kind.requests;
  const toggle = useAllowedWrite(
    async (_values: undefined, allowed) => {
      await (isActive ? deactivate(id, allowed) : activate(id, allowed));
      return { text: `Switched the ${kind.one} ${name} ${isActive ? "off" : "on"}`, id };
    },
    [kind.key],
  );
  return (
    <Box px="md" py="sm">
      <Group gap="sm" align="flex-start">
        <Box flex="1 1 220px" miw={0}>
          <Group gap="xs">
            <RecordLink page={kind.page} id={id} name={name} fw={600} />
            {!isActive && (
              <Badge variant="light" color="yellow" tt="none">
                Off
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
              onChange={() => {
                toggle.mutate(undefined);
              }}
              aria-label={`The ${kind.one} ${visible(name)} is on`}
            />
          )}
          <Button
            size="xs"
            variant="default"
            aria-label={`${canWrite ? "Edit" : "Show"} the ${kind.one} ${visible(name)}`}
            onClick={onOpen}
          >
            {canWrite ? "Edit" : "Show"}
          </Button>
        </Group>
      </Group>
      <Refusal writing={toggle} title={`The ${kind.one} was not switched`} action="Switch anyway" />
    </Box>
  );
}
