import { Alert, Button, Group, Paper, Radio, SimpleGrid, Stack, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { fieldConflict as texts } from "../texts/en/field-conflict.js";
import { parts } from "../texts/en/parts.js";

export interface ConflictField {
  readonly name: string;
  readonly label: string;
  /** The values as they were read first, as they are now, and as one has changed them. */
  readonly before: unknown;
  readonly theirs: unknown;
  readonly mine: unknown;
  /** A value in words; by default as it is. */
  readonly format?: (value: never) => string;
}

type Choices = Readonly<Record<string, "theirs" | "mine" | undefined>>;

interface FieldConflictProps {
  /** What was changed: `user`. */
  what: string;
  /** The fields that differ. */
  fields: readonly ConflictField[];
  isSaving: boolean;
  /** @param values the chosen ones, by the name of their field */
  onSave: (values: ReadonlyMap<string, unknown>) => void;
  onTakeTheirs: () => void;
  /** What else somebody changed. */
  children?: ReactNode;
}

/** Both versions of what somebody else was faster to change, side by side, with a choice for each field that differs. */
export function FieldConflict({
  what,
  fields,
  isSaving,
  onSave,
  onTakeTheirs,
  children,
}: Readonly<FieldConflictProps>) {
  const [choices, setChoices] = useState<Choices>(() =>
    Object.fromEntries(fields.map((field) => [field.name, chooseFor(field)])),
  );
  const open = fields.filter(({ name }) => choices[name] === undefined);
  const save = () => {
    onSave(new Map(fields.map((field) => [field.name, field[choices[field.name] ?? "theirs"]])));
  };

  return (
    <Alert color="yellow" title={texts.title({ what })}>
      <Stack gap="md">
        {children}
        <Text size="sm">{texts.choose}</Text>
        {fields.map((field) => (
          <Radio.Group
            key={field.name}
            label={field.label}
            classNames={{ label: "foreign" }}
            value={choices[field.name] ?? null}
            onChange={(value) => {
              setChoices({ ...choices, [field.name]: value });
            }}
          >
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt={4}>
              <Version value="theirs" title={texts.theirs} content={wordsOf(field, field.theirs)} />
              <Version value="mine" title={texts.mine} content={wordsOf(field, field.mine)} />
            </SimpleGrid>
          </Radio.Group>
        ))}
        <Group gap="xs">
          <Button size="xs" onClick={save} loading={isSaving} disabled={open.length > 0}>
            {texts.save}
          </Button>
          <Button size="xs" variant="default" onClick={onTakeTheirs}>
            {texts.take({ what })}
          </Button>
          <Text size="xs" c="dimmed" role="status">
            {open.length > 0 && texts.open({ fields: open.map(({ label }) => label).join(parts.comma) })}
          </Text>
        </Group>
      </Stack>
    </Alert>
  );
}

function Version({ value, title, content }: Readonly<{ value: string; title: string; content: string }>) {
  return (
    <Paper withBorder p="xs">
      <Radio
        value={value}
        label={
          <>
            <Text span size="xs" c="dimmed" display="block">
              {title}
            </Text>
            <span className="foreign">{content}</span>
          </>
        }
        styles={{ labelWrapper: { minWidth: 0 } }}
      />
    </Paper>
  );
}

function chooseFor({ before, theirs, mine }: ConflictField): "theirs" | "mine" | undefined {
  if (isSame(before, theirs)) return "mine";
  return isSame(before, mine) ? "theirs" : undefined;
}

/** Whether two values are the same JSON. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function wordsOf({ format = formatValue }: ConflictField, value: unknown): string {
  return format(value as never);
}

/** A value in words. */
export function formatValue(value: unknown): string {
  if (value === undefined || value === null || value === "") return texts.nothing;
  if (typeof value === "boolean") return value ? texts.yes : texts.no;
  if (Array.isArray(value)) return value.length === 0 ? texts.nothing : value.join(parts.comma);
  return typeof value === "string" ? value : JSON.stringify(value);
}
