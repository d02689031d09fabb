import { Box, Button, Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { ListedRevision } from "../../api/types.js";
import { MAX_TARGETS, readTargets } from "../../parts/history/requests.js";
import { Restore } from "../../parts/history/restore.js";
import { useMayRestore } from "../../parts/history/use-may-restore.js";
import { describeAuthor, describeRevision } from "../../parts/history/words.js";
import { WhenColumn } from "../../parts/when.js";
import { historyPage } from "../../texts/en/history-page.js";
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
  const named = { revision: String(number) };
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
            {historyPage.revisionBy({ ...named, author: describeAuthor(revision) })}
          </Text>
        </Box>
        <Button
          size="compact-sm"
          variant="default"
          aria-expanded={isOpen}
          aria-label={(isOpen ? historyPage.hideRevision : historyPage.showRevision)(named)}
          onClick={() => {
            setOpen(!isOpen);
          }}
        >
          {isOpen ? historyPage.hide : historyPage.show}
        </Button>
        {mayRestore && number > FIRST && (isNewest || changeCount <= MAX_TARGETS) && (
          <Restore
            policyId={policyId}
            label={historyPage.undo}
            anyway={historyPage.undoAnyway}
            what={historyPage.revision(named)}
            title={historyPage.undoThis}
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
              {historyPage.tryThen}
            </Button>
            {mayRestore && !isNewest && (
              <Restore
                policyId={policyId}
                label={historyPage.bringAll}
                anyway={historyPage.bringAllAnyway}
                what={historyPage.revision(named)}
                title={historyPage.bringAllAsked(named)}
                find={() => ({ revision: number })}
              />
            )}
          </Group>
        </Box>
      )}
    </Box>
  );
}
