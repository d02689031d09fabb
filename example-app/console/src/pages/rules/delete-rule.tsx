import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { send } from "../../api/http.js";
import type { Rule } from "../../api/types.js";
import { Problem } from "../../parts/problem.js";
import { useRuleWrite } from "./use-rules.js";

interface DeleteRuleProps {
  path: string;
  rule: Rule;
  etag: string | undefined;
  onDeleted: () => void;
}

/** Deletes a rule after a second press. */
export function DeleteRule({ path, rule, etag, onDeleted }: Readonly<DeleteRuleProps>) {
  const [isAsked, setAsked] = useState(false);
  const remove = useRuleWrite(async () => {
    await send(`${path}/${rule.id}`, { method: "DELETE", ifMatch: etag });
    onDeleted();
  });
  if (remove.error) return <Problem error={remove.error} title="The rule was not deleted" />;
  if (!isAsked) {
    return (
      <Button
        variant="subtle"
        color="red"
        onClick={() => {
          setAsked(true);
        }}
      >
        Delete
      </Button>
    );
  }
  return (
    <Group gap="xs">
      <Text size="sm">This can't be undone.</Text>
      <Button
        color="red"
        loading={remove.isPending}
        onClick={() => {
          remove.mutate(undefined);
        }}
      >
        Delete the rule
      </Button>
    </Group>
  );
}
