import { Group, Loader, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { User } from "../../api/types.js";
import { Copy } from "../../parts/copy.js";
import { Panel } from "../../parts/panel.js";
import { ReadingProblem } from "../../parts/reading-problem.js";
import { forgetDraft } from "../../parts/use-draft.js";
import { When } from "../../parts/when.js";
import { useScope } from "../../session/use-session.js";
import { userForm } from "./draft.js";
import { Lifecycle } from "./lifecycle.js";
import { Status } from "./status.js";
import { nameOf, userQuery } from "./use-users.js";
import { UserForm } from "./user-form.js";

/** One user: what can be done, the profile, and when what happened. */
export function EditUser() {
  const { userId } = useParams({ from: "/users/$userId" });
  const navigate = useNavigate();
  const mayWrite = useScope("users.manage");
  const [round, setRound] = useState(0);
  const { data: read, error, refetch } = useQuery(userQuery(userId));
  const user = read?.data;
  const close = () => void navigate({ to: "/users" });
  const onDeleted = () => {
    forgetDraft(userForm(userId));
    close();
  };

  return (
    <Panel
      title={
        <Group gap="sm" component="span" wrap="nowrap">
          <Text span fw={600} truncate className="foreign">
            {user ? nameOf(user) : "User"}
          </Text>
          {user && <Status status={user.status} />}
        </Group>
      }
      name={user && nameOf(user)}
      form={userForm(userId)}
      onClose={close}
    >
      <ReadingProblem error={error} />
      {!user && !error && <Loader role="progressbar" aria-label="Reading the user" />}
      {user && (
        <Stack gap="lg" pt={4}>
          {mayWrite && (
            <Lifecycle user={user} etag={read.etag} onChanged={() => void refetch()} onDeleted={onDeleted} />
          )}
          <UserForm
            key={round}
            user={user}
            etag={read.etag}
            isReadOnly={!mayWrite}
            onClose={close}
            onConflict={() => void refetch()}
            onReload={() =>
              void refetch().then(() => {
                setRound(round + 1);
              })
            }
          />
          <Dates user={user} />
        </Stack>
      )}
    </Panel>
  );
}

function Dates({ user }: Readonly<{ user: User }>) {
  const { id, created, activated, statusChanged, lastLogin, lastUpdated } = user;
  const dates = { Created: created, Activated: activated, "Status changed": statusChanged };
  return (
    <Stack gap={4} component="section" aria-label="Dates">
      {Object.entries({ ...dates, "Profile or status changed": lastUpdated, "Last login": lastLogin }).map(
        ([label, date]) => (
          <Group key={label} gap="xs">
            <Text size="sm" c="dimmed" w={190}>
              {label}
            </Text>
            <Text size="sm" span>
              <When date={date} />
            </Text>
          </Group>
        ),
      )}
      <Group gap="xs">
        <Text size="sm" c="dimmed" w={190}>
          Id
        </Text>
        <Text span className="mono">
          {id}
        </Text>
        <Copy value={id} label="Copy the id of the user" />
      </Group>
    </Stack>
  );
}
