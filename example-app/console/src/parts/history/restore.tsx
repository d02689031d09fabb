import { Button, List, Modal, Stack, Text, Group } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { changes } from "../../texts/en/changes.js";
import { Problem } from "../problem.js";
import { Refusal } from "../refusal.js";
import { useAllowedWrite } from "../use-allowed-write.js";
import { Waiting } from "../waiting.js";
import { makeRestore, rehearseRestore, type Restored } from "./requests.js";
import { describeFuture } from "./words.js";

/** The changes that the question names; the others are counted. */
const MAX_NAMED = 10;

interface RestoreProps {
  policyId: string;
  /** On the button. */
  label: string;
  /** On the button that goes on when a test fails. */
  anyway: string;
  /** Tells a screen reader which of the buttons this is. */
  what: string;
  /** A question: `Undo this change?` */
  title: string;
  find: () => Promise<Restored> | Restored;
  onRestored?: () => void;
}

/** Brings back what was, after a question that tells all that it changes. */
export function Restore({ policyId, label, anyway, what, title, find, onRestored }: Readonly<RestoreProps>) {
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
        aria-label={changes.named({ label, what })}
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
        closeButtonProps={{ "aria-label": changes.close }}
        attributes={{ header: { role: "presentation" } }}
        centered
      >
        <Stack mt="xs">
          {!data && !rehearsal.error && <Waiting what={changes.asking} />}
          {data && <Changes future={data.data.changes} count={data.data.changeCount} />}
          {rehearsal.error && <Problem error={rehearsal.error} title={changes.notRestored} />}
          <Refusal writing={making} title={changes.notRestored} action={anyway} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              {changes.cancel}
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
  future,
  count,
}: Readonly<{ future: readonly Parameters<typeof describeFuture>[0][]; count: number }>) {
  if (count === 0) return <Text size="sm">{changes.asBefore}</Text>;
  return (
    <List size="sm">
      {future.slice(0, MAX_NAMED).map((change) => (
        <List.Item key={change.id} className="foreign">
          {describeFuture(change)}
        </List.Item>
      ))}
      {count > MAX_NAMED && <List.Item>{changes.more({ n: count - MAX_NAMED })}</List.Item>}
    </List>
  );
}
