import { Button, Group, Loader, Paper, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import type { ApiToken } from "../../api/types.js";
import { PlusIcon } from "../../parts/icons.js";
import { Empty, Page } from "../../parts/page.js";
import { PagedList } from "../../parts/paged-list.js";
import { ReadingProblem } from "../../parts/reading-problem.js";
import { useScope } from "../../session/use-session.js";
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
  const shown = tokens.filter(({ name }) => name.toLowerCase().includes(part.toLowerCase()));
  const mayWrite = useScope("apiTokens.manage");
  const close = () => {
    setOpened(undefined);
  };

  return (
    <Page
      title="API tokens"
      about="Programs call the API with them. You see those whose scopes you have."
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
              Revoke many
            </Button>
            <Button
              leftSection={<PlusIcon />}
              onClick={() => {
                setOpened({ kind: "new" });
              }}
            >
              Create a token
            </Button>
          </Group>
        )
      }
    >
      <ReadingProblem error={error} />
      <Paper withBorder>
        <Group gap="xs" p="md" justify="space-between">
          <TextInput
            aria-label="Find a token by its name"
            placeholder="Find a token by its name"
            value={part}
            onChange={(event) => {
              setPart(event.currentTarget.value);
            }}
            w={280}
          />
          <Group gap="xs">
            {isReading && <Loader size="xs" role="progressbar" aria-label="Reading the tokens" />}
            <Text size="sm" c="dimmed" role="status">
              {shown.length === tokens.length ? tokens.length : `${shown.length} of ${tokens.length}`}{" "}
              {tokens.length === 1 ? "token" : "tokens"}
            </Text>
          </Group>
        </Group>
        {shown.length > 0 && (
          <PagedList label="API tokens" records={shown} rowHeight={92} onMore={undefined}>
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
        {tokens.length === 0 && isComplete && (
          <Empty title="No tokens">Create one for each program, with only the scopes that it needs.</Empty>
        )}
      </Paper>
      {opened?.kind === "new" && <NewToken onClose={close} />}
      {opened?.kind === "many" && <RevokeMany tokens={tokens} onClose={close} />}
      {opened?.kind === "rotate" && <RotateToken token={opened.token} onClose={close} />}
      {opened?.kind === "revoke" && <RevokeToken token={opened.token} tokens={tokens} onClose={close} />}
    </Page>
  );
}
