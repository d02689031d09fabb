import { Badge, Group, Paper, Table, Text } from "@mantine/core";
import { useMemo } from "react";
import { PagedList } from "../../parts/paged-list.js";
import { NUMBER } from "../../parts/number-format.js";
import { parts } from "../../texts/en/parts.js";
import { transferImport as texts } from "../../texts/en/transfer-import.js";
import { lineOf } from "./places.js";
import type { ImportResult } from "./requests.js";
import { visible } from "../../parts/visible.js";

/** The names of the texts: for all of them, for one. */
const WORDS = {
  idps: ["idps", "idp"],
  zones: ["zones", "zone"],
  trustedOrigins: ["origins", "origin"],
  rules: ["rules", "rule"],
  routingTests: ["tests", "test"],
  users: ["users", "user"],
} as const;

type Kind = keyof typeof WORDS;

const ROW_HEIGHT = 56;

/** A narrow window has no room for `Vertrauenswürdige`. */
const LONG_WORDS = { hyphens: "auto", overflowWrap: "anywhere" } as const;

/** How many records of each kind a file creates, changes and leaves. */
export function Counts({ counts }: Readonly<Pick<ImportResult, "counts">>) {
  return (
    <Table horizontalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.records}</Table.Th>
          <Table.Th ta="right">{texts.created}</Table.Th>
          <Table.Th ta="right">{texts.changed}</Table.Th>
          <Table.Th ta="right">{texts.unchanged}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody style={{ fontVariantNumeric: "tabular-nums" }}>
        {(Object.keys(WORDS) as Kind[]).map((kind) => (
          <Table.Tr key={kind}>
            <Table.Th scope="row" fw={400} style={LONG_WORDS}>
              {texts[WORDS[kind][0]]}
            </Table.Th>
            <Table.Td ta="right">{NUMBER.format(counts[kind].created)}</Table.Td>
            <Table.Td ta="right">{NUMBER.format(counts[kind].updated)}</Table.Td>
            <Table.Td ta="right">{NUMBER.format(counts[kind].unchanged)}</Table.Td>
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
      <PagedList label={texts.changes} records={rows} rowHeight={ROW_HEIGHT} onMore={undefined}>
        {({ kind, event, name, members, line }) => (
          <Group px="md" py="xs" gap="sm" align="flex-start" wrap="nowrap">
            <Badge variant="light" color={event === "create" ? "teal" : "blue"} tt="none" miw={76}>
              {event === "create" ? texts.created : texts.changed}
            </Badge>
            <div style={{ minWidth: 0, flex: 1 }}>
              <Text size="sm" className="foreign">
                <Text span c="dimmed" size="sm">
                  {texts[WORDS[kind][1]]}
                </Text>{" "}
                {visible(name)}
              </Text>
              {members.length > 0 && (
                <Text size="xs" c="dimmed" className="foreign">
                  {members.map(describeMember).join(parts.comma)}
                </Text>
              )}
            </div>
            <Text size="xs" c="dimmed" style={{ flexShrink: 0 }}>
              {texts.line({ line: String(line) })}
            </Text>
          </Group>
        )}
      </PagedList>
      {total > rows.length && (
        <Text size="sm" c="dimmed" p="md">
          {texts.first({ shown: rows.length, all: total })}
        </Text>
      )}
    </Paper>
  );
}

export function countChanges({ counts }: Readonly<Pick<ImportResult, "counts">>): number {
  return Object.values(counts).reduce((sum, { created, updated }) => sum + created + updated, 0);
}

function describeMember(member: string): string {
  return member === "priority" ? texts.place : member;
}
