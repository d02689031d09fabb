import { Button, Group, Paper, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import type { ApiToken } from "../../api/types.js";
import { PlusIcon } from "../../parts/icons.js";
import { Empty, Page } from "../../parts/page.js";
import { PagedList } from "../../parts/paged-list.js";
import { ReadingProblem } from "../../parts/reading-problem.js";
import { useScope } from "../../session/use-session.js";
import { useFoundByName } from "../../parts/use-found-by-name.js";
import { Skeletons } from "../../parts/skeletons.js";
import { Waiting } from "../../parts/waiting.js";
import { pages } from "../../texts/en/pages.js";
import { tokens as texts } from "../../texts/en/tokens.js";
import { NewToken } from "./new-token.js";
import { RevokeMany } from "./revoke-many.js";
import { RevokeToken } from "./revoke-token.js";
import { RotateToken } from "./rotate-token.js";
import { TokenRow } from "./token-row.js";
import { useTokens } from "./use-tokens.js";

/** What is open over the page. */
type Opened = { kind: "new" | "many" } | { kind: "rotate" | "revoke"; token: ApiToken };

/** The API tokens of the org: create, rotate, revoke. */
export function Tokens() {
  const { records: tokens, error, isReading, isComplete } = useTokens();
  const [opened, setOpened] = useState<Opened>();
  const [part, setPart] = useState("");
  const shown = useFoundByName(tokens, part);
  const mayWrite = useScope("apiTokens.manage");
  const close = () => {
    setOpened(undefined);
  };

  return (
    <Page
      title={pages.tokens}
      help="tokens"
      about={texts.about}
      actions={
        mayWrite && (
          <Group gap="xs">
            <Button
              variant="default"
              disabled={!isComplete}
              onClick={() => {
                setOpened({ kind: "many" });
              }}
            >
              {texts.revokeMany}
            </Button>
            <Button
              leftSection={<PlusIcon />}
              onClick={() => {
                setOpened({ kind: "new" });
              }}
            >
              {texts.create}
            </Button>
          </Group>
        )
      }
    >
      <ReadingProblem error={error} />
      <Paper withBorder>
        <Group gap="xs" p="md" justify="space-between">
          <TextInput
            aria-label={texts.find}
            placeholder={texts.find}
            value={part}
            onChange={(event) => {
              setPart(event.currentTarget.value);
            }}
            w={280}
          />
          <Group gap="xs">
            {isReading && <Waiting size="xs" what={texts.reading} />}
            <Text size="sm" c="dimmed" role="status">
              {(tokens.length > 0 || isComplete) &&
                (shown.length === tokens.length
                  ? texts.count({ n: tokens.length })
                  : texts.countOf({ shown: shown.length, n: tokens.length }))}
            </Text>
          </Group>
        </Group>
        {tokens.length === 0 && !isComplete && !error && <Skeletons />}
        {shown.length > 0 && (
          <PagedList label={pages.tokens} records={shown} rowHeight={92} onMore={undefined}>
            {(token) => (
              <TokenRow
                token={token}
                tokens={tokens}
                canWrite={mayWrite}
                onRotate={(chosen) => {
                  setOpened({ kind: "rotate", token: chosen });
                }}
                onRevoke={(chosen) => {
                  setOpened({ kind: "revoke", token: chosen });
                }}
              />
            )}
          </PagedList>
        )}
        {tokens.length === 0 && isComplete && <Empty title={texts.emptyTitle}>{texts.empty}</Empty>}
      </Paper>
      {opened?.kind === "new" && <NewToken onClose={close} />}
      {opened?.kind === "many" && <RevokeMany tokens={tokens} onClose={close} />}
      {opened?.kind === "rotate" && <RotateToken token={opened.token} onClose={close} />}
      {opened?.kind === "revoke" && <RevokeToken token={opened.token} tokens={tokens} onClose={close} />}
    </Page>
  );
}
