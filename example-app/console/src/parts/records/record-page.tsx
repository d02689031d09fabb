import { Button, Group, Loader, Paper, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { withQuery } from "../../api/http.js";
import { useScope } from "../../session/use-session.js";
import { PlusIcon } from "../icons.js";
import { Empty, Page } from "../page.js";
import { PagedList } from "../paged-list.js";
import { ReadingProblem } from "../reading-problem.js";
import { Skeletons } from "../skeletons.js";
import { usePages } from "../use-pages.js";
import { NEW, type NamedRecord, type RecordKind, type Switched } from "./kind.js";
import { RecordForm } from "./record-form.js";
import { RecordRow } from "./record-row.js";
import { useOpened } from "./use-opened.js";
import { withArticle } from "./words.js";

const NUMBER = new Intl.NumberFormat();

const PAGE_SIZE = 100;
const ROW_HEIGHT = 70;

/** The page of a kind of records. */
export function RecordPage<R extends NamedRecord, D extends Switched>({ kind }: Readonly<{ kind: RecordKind<R, D> }>) {
  const { title, about, one, many, path, key, scope, empty } = kind;
  const [part, setPart] = useState("");
  const [name] = useDebouncedValue(part.trim(), 250);
  const opened = useOpened(kind.page);
  const canWrite = useScope(`${scope}.manage`);
  const { records, error, isReading, isComplete, onMore } = usePages<R>(
    [key, "pages", name],
    withQuery(path, { limit: PAGE_SIZE, q: name || undefined }),
  );

  return (
    <Page
      title={title}
      about={about}
      actions={
        canWrite && (
          <Button
            leftSection={<PlusIcon />}
            onClick={() => {
              opened.open(NEW);
            }}
          >
            Add {withArticle(one)}
          </Button>
        )
      }
    >
      <ReadingProblem error={error} />
      <Paper withBorder>
        <Group p="md" justify="space-between">
          <TextInput
            aria-label={`Find ${withArticle(one)} by its name`}
            placeholder={`Find ${withArticle(one)} by its name`}
            value={part}
            onChange={(event) => {
              setPart(event.currentTarget.value);
            }}
            maxLength={128}
            w={280}
          />
          <Group gap="xs">
            {isReading && <Loader size="xs" aria-label={`Reading the ${many}`} />}
            <Text size="sm" c="dimmed" role="status">
              {(records.length > 0 || isComplete) && (
                <>
                  {NUMBER.format(records.length)}
                  {isComplete ? "" : " or more"} {records.length === 1 && isComplete ? one : many}
                </>
              )}
            </Text>
          </Group>
        </Group>
        {records.length === 0 && !isComplete && <Skeletons />}
        {records.length > 0 && (
          <PagedList label={title} records={records} rowHeight={ROW_HEIGHT} onMore={onMore}>
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
        {records.length === 0 && isComplete && (
          <Empty title={name === "" ? `No ${many} yet` : `No ${one} has this in its name`}>
            {name === "" ? empty : "Upper and lower case are the same."}
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
