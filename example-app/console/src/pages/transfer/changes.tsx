import { Badge, Group, Paper, Table, Text } from "@mantine/core";
import { useMemo } from "react";
import { PagedList } from "../../parts/paged-list.js";
import { lineOf } from "./places.js";
import type { ImportResult } from "./requests.js";
import { visible } from "../../parts/visible.js";

const WORDS = {
  idps: ["Identity providers", "identity provider"],
  zones: ["Zones", "zone"],
  trustedOrigins: ["Trusted origins", "trusted origin"],
  rules: ["Rules", "rule"],
  routingTests: ["Routing tests", "routing test"],
  users: ["Users", "user"],
} as const;

type Kind = keyof typeof WORDS;

const ROW_HEIGHT = 56;

/** How many records of each kind a file creates, changes and leaves. */
export function Counts({ counts }: Readonly<Pick<ImportResult, "counts">>) {
  return (
    <Table horizontalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Records</Table.Th>
          <Table.Th ta="right">New</Table.Th>
          <Table.Th ta="right">Changed</Table.Th>
          <Table.Th ta="right">Unchanged</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody style={{ fontVariantNumeric: "tabular-nums" }}>
        {(Object.keys(WORDS) as Kind[]).map((kind) => (
          <Table.Tr key={kind}>
            <Table.Th scope="row" fw={400}>
              {WORDS[kind][0]}
            </Table.Th>
            <Table.Td ta="right">{counts[kind].created}</Table.Td>
            <Table.Td ta="right">{counts[kind].updated}</Table.Td>
            <Table.Td ta="right">{counts[kind].unchanged}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Each record that a file creates or changes. */
export function Changes({ result: { changes, counts }, text }: Readonly<{ result: ImportResult; text: string }>) {
  const lines = useMemo(
    () =>
      lineOf(
        text,
        changes.map(({ place }) => place),
      ),
    [text, changes],
  );
  const rows = changes.map((change, i) => ({ ...change, id: change.place, line: lines[i] }));
  const total = countChanges({ counts });
  return (
    <Paper withBorder>
      <PagedList label="Changes" records={rows} rowHeight={ROW_HEIGHT} onMore={undefined}>
        {({ kind, event, name, members, line }) => (
          <Group px="md" py="xs" gap="sm" align="flex-start" wrap="nowrap">
            <Badge variant="light" color={event === "create" ? "teal" : "blue"} tt="none" miw={76}>
              {event === "create" ? "New" : "Changed"}
            </Badge>
            <div style={{ minWidth: 0, flex: 1 }}>
              <Text size="sm" className="foreign">
                <Text span c="dimmed" size="sm">
                  {WORDS[kind][1]}
                </Text>{" "}
                {visible(name)}
              </Text>
              {members.length > 0 && (
                <Text size="xs" c="dimmed" className="foreign">
                  {members.map(describeMember).join(", ")}
                </Text>
              )}
            </div>
            <Text size="xs" c="dimmed" style={{ flexShrink: 0 }}>
              line {line}
            </Text>
          </Group>
        )}
      </PagedList>
      {total > rows.length && (
        <Text size="sm" c="dimmed" p="md">
          These are the first {rows.length} of {total} changes.
        </Text>
      )}
    </Paper>
  );
}

export function countChanges({ counts }: Readonly<Pick<ImportResult, "counts">>): number {
  return Object.values(counts).reduce((sum, { created, updated }) => sum + created + updated, 0);
}

function describeMember(member: string): string {
  return member === "priority" ? "place" : member;
}
