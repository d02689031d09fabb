import { Button, List, Loader, Modal, Stack, Text, Group } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Problem } from "../problem.js";
import { Refusal } from "../refusal.js";
import { useAllowedWrite } from "../use-allowed-write.js";
import { makeRestore, rehearseRestore, type Restored } from "./requests.js";
import { describeFuture } from "./words.js";

/** The changes that the question names; the others are counted. */
const MAX_NAMED = 10;

interface RestoreProps {
  policyId: string;
  /** On the button. */
  label: string;
  /** Tells a screen reader which of the buttons this is. */
  what: string;
  /** A question: `Undo this change?` */
  title: string;
  find: () => Promise<Restored> | Restored;
  onRestored?: () => void;
}

/** Brings back what was, after a question that tells all that it changes. */
export function Restore({ policyId, label, what, title, find, onRestored }: Readonly<RestoreProps>) {
  const rehearsal = useMutation({
    mutationFn: async () => {
      const restored = await find();
      return { restored, ...(await rehearseRestore(policyId, restored)) };
    },
  });
  const making = useAllowedWrite(
    async ({ restored, etag }: { restored: Restored; etag: string | undefined }, allowed) => {
      await makeRestore(policyId, restored, etag, allowed);
      rehearsal.reset();
      onRestored?.();
      return undefined;
    },
    ["idps", "zones", "trustedOrigins"],
  );
  const close = () => {
    rehearsal.reset();
    making.reset();
  };
  const { data, isIdle } = rehearsal;
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`${label}: ${what}`}
        style={{ flexShrink: 0 }}
        onClick={() => {
          rehearsal.mutate();
        }}
      >
        {label}
      </Button>
      <Modal
        opened={!isIdle}
        onClose={close}
        title={title}
        closeButtonProps={{ "aria-label": "Close" }}
        attributes={{ header: { role: "presentation" } }}
        centered
      >
        <Stack mt="xs">
          {!data && !rehearsal.error && <Loader aria-label="Asking what it changes" />}
          {data && <Changes changes={data.data.changes} count={data.data.changeCount} />}
          {rehearsal.error && <Problem error={rehearsal.error} title="Nothing was brought back" />}
          <Refusal writing={making} title="Nothing was brought back" action={`${label} anyway`} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              Cancel
            </Button>
            {data && data.data.changeCount > 0 && (
              <Button
                loading={making.isPending}
                onClick={() => {
                  making.mutate(data);
                }}
              >
                {label}
              </Button>
            )}
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

function Changes({
  changes,
  count,
}: Readonly<{ changes: readonly Parameters<typeof describeFuture>[0][]; count: number }>) {
  if (count === 0) return <Text size="sm">Everything is as it was already.</Text>;
  return (
    <List size="sm">
      {changes.slice(0, MAX_NAMED).map((change) => (
        <List.Item key={change.id} className="foreign">
          {describeFuture(change)}
        </List.Item>
      ))}
      {count > MAX_NAMED && <List.Item>and {count - MAX_NAMED} more</List.Item>}
    </List>
  );
}
