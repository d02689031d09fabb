import { Button, Group, Paper, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useScope } from "../../session/use-session.js";
import { records as words } from "../../texts/en/records.js";
import { PlusIcon } from "../icons.js";
import { Empty, Page } from "../page.js";
import { PagedList } from "../paged-list.js";
import { ReadingProblem } from "../reading-problem.js";
import { Skeletons } from "../skeletons.js";
import { useFoundByName } from "../use-found-by-name.js";
import { useWholeList } from "../use-whole-list.js";
import { Waiting } from "../waiting.js";
import { NEW, type NamedRecord, type RecordKind, type Switched } from "./kind.js";
import { RecordForm } from "./record-form.js";
import { RecordRow } from "./record-row.js";
import { useOpened } from "./use-opened.js";

const ROW_HEIGHT = 70;

/** The page of a kind of records. */
export function RecordPage<R extends NamedRecord, D extends Switched>({ kind }: Readonly<{ kind: RecordKind<R, D> }>) {
  const { title, term, about, texts, path, key, scope, empty } = kind;
  const [part, setPart] = useState("");
  const opened = useOpened(kind.page);
  const canWrite = useScope(`${scope}.manage`);
  const { records, error, isReading, isComplete } = useWholeList<R>([key, "pages"], path);
  const shown = useFoundByName(records, part);

  return (
    <Page
      title={title}
      help={term}
      about={about}
      actions={
        canWrite && (
          <Button
            leftSection={<PlusIcon />}
            onClick={() => {
              opened.open(NEW);
            }}
          >
            {texts.add}
          </Button>
        )
      }
    >
      <ReadingProblem error={error} />
      <Paper withBorder>
        <Group p="md" justify="space-between">
          <TextInput
            aria-label={texts.find}
            placeholder={texts.find}
            value={part}
            onChange={(event) => {
              setPart(event.currentTarget.value);
            }}
            maxLength={128}
            w={280}
          />
          <Group gap="xs">
            {isReading && <Waiting size="xs" what={texts.readingAll} />}
            <Text size="sm" c="dimmed" role="status">
              {(records.length > 0 || isComplete) &&
                (isComplete ? texts.count : texts.countOrMore)({ n: shown.length })}
            </Text>
          </Group>
        </Group>
        {records.length === 0 && !isComplete && <Skeletons />}
        {shown.length > 0 && (
          <PagedList label={title} records={shown} rowHeight={ROW_HEIGHT} onMore={undefined}>
            {(record) => (
              <RecordRow
                kind={kind}
                record={record}
                canWrite={canWrite}
                onOpen={() => {
                  opened.open(record.id);
                }}
              />
            )}
          </PagedList>
        )}
        {shown.length === 0 && isComplete && (
          <Empty title={records.length === 0 ? texts.none : texts.noneFound}>
            {records.length === 0 ? empty : words.foldedCase}
          </Empty>
        )}
      </Paper>
      {opened.id !== undefined && (
        <RecordForm
          key={opened.id}
          kind={kind}
          id={opened.id === NEW ? undefined : opened.id}
          canWrite={canWrite}
          onClose={opened.close}
        />
      )}
    </Page>
  );
}
