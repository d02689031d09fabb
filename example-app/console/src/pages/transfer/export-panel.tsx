import { Button, Group, Paper, Stack, Switch, Text, Title } from "@mantine/core";
import { useState } from "react";
import { Problem } from "../../parts/problem.js";
import { exportFile, type ExportedFile } from "./requests.js";
import { isCancelled, useWork } from "./use-work.js";
import { Working } from "./working.js";

/** Everything that the org's administrators manage, as a file. */
export function ExportPanel() {
  const [withUsers, setWithUsers] = useState(true);
  const { run, cancel } = useWork((users: boolean, signal) => exportFile(users, signal), { onSuccess: download });
  const { error, isPending } = run;
  return (
    <Paper withBorder p="md" component="section" aria-label="Export">
      <Stack gap="md">
        <div>
          <Title order={2} size="h4">
            Export
          </Title>
          <Text size="sm" c="dimmed">
            A file with the identity providers, zones, trusted origins, rules and users. It has no tokens and no log.
          </Text>
        </div>
        {isPending ? (
          <Working what="Exporting" onCancel={cancel} />
        ) : (
          <Group justify="space-between">
            <Switch
              label="With the users"
              description="They are personal data: keep the file safe."
              checked={withUsers}
              onChange={(event) => {
                setWithUsers(event.currentTarget.checked);
              }}
            />
            <Button
              variant="default"
              onClick={() => {
                run.mutate(withUsers);
              }}
            >
              Export
            </Button>
          </Group>
        )}
        {error && !isCancelled(error) && <Problem error={error} title="Nothing was exported" />}
        <Text size="sm" role="status">
          {isCancelled(error) && "Cancelled."}
          {run.isSuccess && `${run.data.name} has ${run.data.content.size.toLocaleString()} bytes.`}
        </Text>
      </Stack>
    </Paper>
  );
}

function download({ name, content }: ExportedFile): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
