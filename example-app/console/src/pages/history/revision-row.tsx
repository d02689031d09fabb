import { Box, Button, Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { ListedRevision } from "../../api/types.js";
import { MAX_TARGETS, readTargets } from "../../parts/history/requests.js";
import { Restore } from "../../parts/history/restore.js";
import { useMayRestore } from "../../parts/history/use-may-restore.js";
import { describeAuthor, describeRevision } from "../../parts/history/words.js";
import { WhenColumn } from "../../parts/when.js";
import { RevisionChanges } from "./revision-changes.js";

/** Nothing was before it. */
const FIRST = 1;

interface RevisionRowProps {
  policyId: string;
  revision: ListedRevision;
  isNewest: boolean;
}

/** A revision, which opens to its changes. */
export function RevisionRow({ policyId, revision, isNewest }: Readonly<RevisionRowProps>) {
  const [isOpen, setOpen] = useState(false);
  const mayRestore = useMayRestore();
  const { revision: number, published, changeCount } = revision;
  const what = describeRevision(revision);
  return (
    <Box role="listitem" px="md" py="sm" style={{ borderTop: "1px solid var(--mantine-color-default-border)" }}>
      <Group gap="sm" align="flex-start">
        <WhenColumn date={published} />
        <Box flex={1} miw={220}>
          <Text size="sm" fw={600} className="foreign">
            {what}
          </Text>
          <Text size="xs" c="dimmed" className="foreign">
            Revision {number} {describeAuthor(revision)}
          </Text>
        </Box>
        <Button
          size="compact-sm"
          variant="default"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? "Hide" : "Show"} revision ${number}`}
          onClick={() => {
            setOpen(!isOpen);
          }}
        >
          {isOpen ? "Hide" : "Show"}
        </Button>
        {mayRestore && number > FIRST && (isNewest || changeCount <= MAX_TARGETS) && (
          <Restore
            policyId={policyId}
            label="Undo"
            what={`revision ${number}`}
            title="Undo this change?"
            find={async () => {
              const targets = changeCount <= MAX_TARGETS ? await readTargets(policyId, revision) : undefined;
              return { revision: number - 1, targets };
            }}
          />
        )}
      </Group>
      {isOpen && (
        <Box mt="sm">
          <RevisionChanges policyId={policyId} revision={number} />
          <Group gap="xs" mt="md">
            <Button
              size="compact-sm"
              variant="default"
              renderRoot={(props: object) => <Link to="/" search={{ revision: number }} {...props} />}
            >
              Try a login with the rules of then
            </Button>
            {mayRestore && !isNewest && (
              <Restore
                policyId={policyId}
                label="Bring everything back to here"
                what={`revision ${number}`}
                title={`Bring back everything as it was after revision ${number}?`}
                find={() => ({ revision: number })}
              />
            )}
          </Group>
        </Box>
      )}
    </Box>
  );
}
