import { Button, Group, Paper, Stack, Switch, Text, Title } from "@mantine/core";
import { useState } from "react";
import { download } from "../../parts/download.js";
import { Help } from "../../parts/help.js";
import { Problem } from "../../parts/problem.js";
import { exportFile } from "./requests.js";
import { isCancelled, useWork } from "./use-work.js";
import { Working } from "./working.js";
import { transfer } from "../../texts/en/transfer.js";

/** Everything that the org's administrators manage, as a file. */
export function ExportPanel() {
  const [withUsers, setWithUsers] = useState(true);
  const { run, cancel } = useWork((users: boolean, signal) => exportFile(users, signal), { onSuccess: download });
  const { error, isPending } = run;
  return (
    <Paper withBorder p="md" component="section" aria-label={transfer.export}>
      <Stack gap="md">
        <div>
          <Title order={2} size="h4">
            {transfer.export}
          </Title>
          <Text size="sm" c="dimmed">
            {transfer.exportAbout}
          </Text>
        </div>
        {isPending ? (
          <Working what={transfer.exporting} onCancel={cancel} />
        ) : (
          <Group justify="space-between">
            <div className="helped">
              <Switch
                label={transfer.withUsers}
                description={transfer.personal}
                checked={withUsers}
                onChange={(event) => {
                  setWithUsers(event.currentTarget.checked);
                }}
              />
              <Help term="withUsers" name={transfer.withUsers} />
            </div>
            <Button
              variant="default"
              onClick={() => {
                run.mutate(withUsers);
              }}
            >
              {transfer.exportNow}
            </Button>
          </Group>
        )}
        {error && !isCancelled(error) && <Problem error={error} title={transfer.exportFailed} />}
        <Text size="sm" role="status">
          {isCancelled(error) && transfer.exportCancelled}
          {run.isSuccess && transfer.exported({ name: run.data.name, bytes: run.data.content.size })}
        </Text>
      </Stack>
    </Paper>
  );
}
