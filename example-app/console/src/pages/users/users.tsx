import { Anchor, Box, Button, Group, Paper, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet } from "@tanstack/react-router";
import { useState } from "react";
import { ApiProblem, request, withQuery } from "../../api/http.js";
import type { User } from "../../api/types.js";
import { PlusIcon } from "../../parts/icons.js";
import { Empty, Page } from "../../parts/page.js";
import { PagedList } from "../../parts/paged-list.js";
import { ReadingProblem } from "../../parts/reading-problem.js";
import { usePages } from "../../parts/use-pages.js";
import { When } from "../../parts/when.js";
import { useScope } from "../../session/use-session.js";
import { pages } from "../../texts/en/pages.js";
import { users } from "../../texts/en/users.js";
import { NO_QUESTION, QuestionFields, type Question } from "./question.js";
import { Status } from "./status.js";
import { nameOf } from "./use-users.js";
import { visible } from "../../parts/visible.js";
import { Waiting } from "../../parts/waiting.js";

const USERS = "/api/v1/users";

const PAGE_SIZE = 100;

/** The server counts no more. */
const MAX_TOTAL = 10_000;

/** The order of all users. Those that a question finds come in the order in which an index finds them. */
const WITHOUT_QUESTION = "profile.login asc";

/** The users of the org, found and listed; one of them may be open over the list. */
export function Users() {
  const [question, setQuestion] = useState(NO_QUESTION);
  const [{ mode, text, order }] = useDebouncedValue(question, 300);
  const mayWrite = useScope("users.manage");
  const sent = text.trim();
  const asked = toQuery(mode, sent, order);
  const path = withQuery(USERS, { limit: PAGE_SIZE, ...asked });
  const { records, error, isReading, isComplete, onMore } = usePages<User>(["users", path], path);
  const { data: total } = useQuery({
    queryKey: ["users", "total", path],
    queryFn: async ({ signal }) => {
      const { headers } = await request(withQuery(USERS, { limit: 1, total: "true", ...asked }), { signal });
      return headers.get("X-Total-Count");
    },
    enabled: !isComplete && records.length > 0,
  });
  const isMistake = error instanceof ApiProblem && error.status === 400 && error.causes[0]?.startsWith(mode) === true;

  return (
    <Page title={pages.users} help="users" about={users.about} actions={mayWrite && <CreateButton />}>
      <Paper withBorder>
        <Box p="md">
          <QuestionFields
            question={question}
            onChange={setQuestion}
            sent={sent}
            mistake={isMistake ? error : undefined}
          />
          <Group gap="xs" mt="sm" h={20}>
            <Text size="sm" c="dimmed" role="status">
              {!error && (isComplete ? countUsers(String(records.length)) : total && countUsers(total))}
            </Text>
            {isReading && <Waiting size="xs" what={users.reading} />}
          </Group>
        </Box>
        {error && !isMistake && (
          <Box p="md" pt={0}>
            <ReadingProblem error={error} />
          </Box>
        )}
        {records.length > 0 && (
          <PagedList label={users.found} records={records} rowHeight={66} onMore={onMore}>
            {(user) => <UserRow user={user} />}
          </PagedList>
        )}
        {records.length === 0 && isComplete && <NoUsers isAll={sent === ""} mayWrite={mayWrite} />}
        {records.length === 0 && !isComplete && onMore && <Search onMore={onMore} />}
      </Paper>
      <Outlet />
    </Page>
  );
}

/** @param total as `X-Total-Count` has it */
function countUsers(total: string): string {
  const n = Number.parseInt(total, 10);
  if (!total.endsWith("+")) return users.count({ n });
  return (n === MAX_TOTAL ? users.countMore : users.countAtLeast)({ n });
}

function toQuery(mode: Question["mode"], sent: string, order: string): Record<string, string> {
  const asked: Record<string, string> = sent === "" ? {} : { [mode]: sent };
  const [sortBy, sortOrder] = (order === "" && sent === "" ? WITHOUT_QUESTION : order).split(" ");
  return sortBy && sortOrder ? { ...asked, sortBy, sortOrder } : asked;
}

function CreateButton() {
  return (
    <Button leftSection={<PlusIcon />} renderRoot={(props: object) => <Link to="/users/new" {...props} />}>
      {users.create}
    </Button>
  );
}

function UserRow({ user }: Readonly<{ user: User }>) {
  return (
    <Group px="md" py="sm" gap="sm" className="linked-row">
      <Box flex="1 1 200px" miw={0}>
        <Anchor
          fw={600}
          c="var(--mantine-color-text)"
          lineClamp={1}
          className="foreign"
          renderRoot={(props: object) => <Link to="/users/$userId" params={{ userId: user.id }} {...props} />}
        >
          {nameOf(user)}
        </Anchor>
        <Text size="sm" c="dimmed" lineClamp={1} className="foreign">
          {visible(user.profile.login)}
        </Text>
      </Box>
      <Box w={150}>
        <Status status={user.status} />
      </Box>
      <Text size="sm" c="dimmed" w={205} visibleFrom="sm" component="span">
        <When date={user.lastUpdated} />
      </Text>
    </Group>
  );
}

/** A page without users is not the end: the server searches a part of the users for each. */
function Search({ onMore }: Readonly<{ onMore: () => void }>) {
  return (
    <Empty title={users.nothingYet}>
      <Button size="xs" variant="default" onClick={onMore} mt="xs">
        {users.searchOn}
      </Button>
    </Empty>
  );
}

function NoUsers({ isAll, mayWrite }: Readonly<{ isAll: boolean; mayWrite: boolean }>) {
  if (!isAll) {
    return <Empty title={users.noMatch}>{users.aboutNoMatch}</Empty>;
  }
  return (
    <Empty title={users.none}>
      {users.aboutNone}
      {mayWrite && (
        <Box mt="md">
          <CreateButton />
        </Box>
      )}
    </Empty>
  );
}
