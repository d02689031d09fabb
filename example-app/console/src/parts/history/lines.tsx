import { Box, Group, Text, VisuallyHidden } from "@mantine/core";
import type { RevisedRecord } from "../../api/types.js";
import { changes } from "../../texts/en/changes.js";

/** A field of a record in words. */
interface Line {
  readonly label: string;
  readonly text: string;
}

/** The fields of a record in words, always in the same order. */
export type Describe = (record: NonNullable<RevisedRecord>) => readonly Line[];

interface ChangedLinesProps {
  before: RevisedRecord;
  after: RevisedRecord;
  describe: Describe;
}

/** The fields that differ. A record that was not there, or is gone, has no value on that side. */
export function ChangedLines({ before, after, describe }: Readonly<ChangedLinesProps>) {
  const [old, recent] = [before ? describe(before) : [], after ? describe(after) : []];
  const lines = (recent.length > 0 ? recent : old).map(({ label }, index) => ({
    label,
    was: old[index]?.text,
    is: recent[index]?.text,
  }));
  const changed = lines.filter(({ was, is }) => was !== is);
  if (changed.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {changes.same}
      </Text>
    );
  }
  return (
    <Box component="dl" m={0}>
      {changed.map(({ label, was, is }) => (
        <Group key={label} gap="sm" align="baseline" wrap="nowrap">
          <Text component="dt" size="sm" c="dimmed" w={130} style={{ flexShrink: 0 }}>
            {label}
          </Text>
          <Text component="dd" size="sm" m={0} miw={0} className="foreign">
            {was !== undefined && (
              <Text component="del" c="dimmed" inherit>
                {was}
              </Text>
            )}
            {was !== undefined && is !== undefined && (
              <>
                <span aria-hidden="true"> → </span>
                <VisuallyHidden> {changes.then} </VisuallyHidden>
              </>
            )}
            {is !== undefined && (
              <Text component="ins" fw={500} inherit td="none">
                {is}
              </Text>
            )}
          </Text>
        </Group>
      ))}
    </Box>
  );
}
