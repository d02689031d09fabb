import { Anchor, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { User } from "../../api/types.js";
import { Copy } from "../../parts/copy.js";
import { Help } from "../../parts/help.js";
import { Panel } from "../../parts/panel.js";
import { ReadingProblem } from "../../parts/reading-problem.js";
import { forgetDraft } from "../../parts/use-draft.js";
import { Waiting } from "../../parts/waiting.js";
import { When } from "../../parts/when.js";
import { useScope } from "../../session/use-session.js";
import { userForm } from "../../texts/en/user-form.js";
import { users } from "../../texts/en/users.js";
import { formOf } from "./draft.js";
import { Lifecycle } from "./lifecycle.js";
import { Status } from "./status.js";
import { nameOf, userQuery } from "./use-users.js";
import { UserForm } from "./user-form.js";

const DATES = ["created", "activated", "statusChanged", "lastUpdated", "lastLogin"] as const;

/** One user: what can be done, the profile, when what happened, and the events. */
export function EditUser() {
  const { userId } = useParams({ from: "/users/$userId" });
  const navigate = useNavigate();
  const mayWrite = useScope("users.manage");
  const mayReadLog = useScope("logs.read");
  const [round, setRound] = useState(0);
  const { data: read, error, refetch } = useQuery(userQuery(userId));
  const user = read?.data;
  const close = () => void navigate({ to: "/users" });
  const onDeleted = () => {
    forgetDraft(formOf(userId));
    close();
  };

  return (
    <Panel
      title={
        <Group gap="sm" component="span" wrap="nowrap">
          <Text span fw={600} truncate className="foreign">
            {user ? nameOf(user) : userForm.user}
          </Text>
          {user && <Status status={user.status} />}
        </Group>
      }
      name={user && nameOf(user)}
      form={formOf(userId)}
      onClose={close}
    >
      <ReadingProblem error={error} />
      {!user && !error && <Waiting what={userForm.reading} />}
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
          {mayReadLog && (
            <Anchor
              size="sm"
              style={{ alignSelf: "flex-start" }}
              renderRoot={(root: object) => (
                <Link to="/log" search={{ filter: `target.id eq "${userId}"`, since: "30d" }} {...root} />
              )}
            >
              {userForm.inLog}
            </Anchor>
          )}
        </Stack>
      )}
    </Panel>
  );
}

function Dates({ user }: Readonly<{ user: User }>) {
  const { id } = user;
  return (
    <Stack gap={4} component="section" aria-label={userForm.dates}>
      {DATES.map((name) => (
        <Group key={name} gap="xs">
          <div className="helped" style={{ width: 190 }}>
            <Text size="sm" c="dimmed">
              {userForm[name]}
            </Text>
            {name === "statusChanged" && <Help term="status" name={users.status} />}
          </div>
          <Text size="sm" span>
            <When date={user[name]} />
          </Text>
        </Group>
      ))}
      <Group gap="xs">
        <Text size="sm" c="dimmed" w={190}>
          {userForm.id}
        </Text>
        <Text span className="mono">
          {id}
        </Text>
        <Copy value={id} label={userForm.copyId} />
      </Group>
    </Stack>
  );
}
