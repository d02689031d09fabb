import { Anchor, Box, Button, Group, Loader, Paper, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Link, Outlet } from "@tanstack/react-router";
import { useState } from "react";
import { ApiProblem, withQuery } from "../../api/http.js";
import type { User } from "../../api/types.js";
import { PlusIcon } from "../../parts/icons.js";
import { Empty, Page } from "../../parts/page.js";
import { PagedList } from "../../parts/paged-list.js";
import { ReadingProblem } from "../../parts/reading-problem.js";
import { usePages } from "../../parts/use-pages.js";
import { When } from "../../parts/when.js";
import { useScope } from "../../session/use-session.js";
import { NO_QUESTION, QuestionFields, type Question } from "./question.js";
import { Status } from "./status.js";
import { nameOf } from "./use-users.js";
import { visible } from "../../parts/visible.js";

const USERS = "/api/v1/users";

const PAGE_SIZE = 100;

/** The order of all users. Those that a question finds come in the order in which an index finds them. */
const WITHOUT_QUESTION = "profile.login asc";

/** The users of the org, found and listed; one of them may be open over the list. */
export function Users() {
  const [question, setQuestion] = useState(NO_QUESTION);
  const [{ mode, text, order }] = useDebouncedValue(question, 300);
  const mayWrite = useScope("users.manage");
  const sent = text.trim();
  const path = withQuery(USERS, { limit: PAGE_SIZE, ...toQuery(mode, sent, order) });
  const { records, error, isReading, isComplete, onMore } = usePages<User>(["users", path], path);
  const isMistake = error instanceof ApiProblem && error.status === 400 && error.causes[0]?.startsWith(mode) === true;

  return (
    <Page
      title="Users"
      about="The people of this org. Routing rules can ask for attributes of whoever signs in."
      actions={mayWrite && <CreateButton />}
    >
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
              {!error && `${records.length} ${records.length === 1 ? "user" : "users"}${isComplete ? "" : " so far"}`}
            </Text>
            {isReading && <Loader size="xs" role="progressbar" aria-label="Reading the users" />}
          </Group>
        </Box>
        {error && !isMistake && (
          <Box p="md" pt={0}>
            <ReadingProblem error={error} />
          </Box>
        )}
        {records.length > 0 && (
          <PagedList label="Users found" records={records} rowHeight={66} onMore={onMore}>
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

function toQuery(mode: Question["mode"], sent: string, order: string): Record<string, string> {
  const asked: Record<string, string> = sent === "" ? {} : { [mode]: sent };
  const [sortBy, sortOrder] = (order === "" && sent === "" ? WITHOUT_QUESTION : order).split(" ");
  return sortBy && sortOrder ? { ...asked, sortBy, sortOrder } : asked;
}

function CreateButton() {
  return (
    <Button leftSection={<PlusIcon />} renderRoot={(props: object) => <Link to="/users/new" {...props} />}>
      Create a user
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
    <Empty title="Nothing found so far">
      <Button size="xs" variant="default" onClick={onMore} mt="xs">
        Search on
      </Button>
    </Empty>
  );
}

function NoUsers({ isAll, mayWrite }: Readonly<{ isAll: boolean; mayWrite: boolean }>) {
  if (!isAll) {
    return (
      <Empty title="No user matches">
        A filter compares upper and lower case. Deactivated users are found only with a filter or search on their
        status.
      </Empty>
    );
  }
  return (
    <Empty title="No users yet">
      Rules on logins, addresses and devices need none. Users are for rules on attributes, such as the department.
      {mayWrite && (
        <Box mt="md">
          <CreateButton />
        </Box>
      )}
    </Empty>
  );
}
