import { Button, Group, Modal, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { forgetDraft, hasDraft, type DraftState } from "./use-draft.js";
import { forms } from "../texts/en/forms.js";

/** Asks before one leaves a form in which something is not saved. */
export function Unsaved({ form }: Readonly<{ form: string }>) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => hasDraft(form),
    enableBeforeUnload: false, // the tab keeps it
    withResolver: true,
  });
  if (status !== "blocked") return null;
  return (
    <Modal
      opened
      onClose={reset}
      title={forms.discardTitle}
      withCloseButton={false}
      centered
      attributes={{ header: { role: "presentation" } }}
    >
      <Text size="sm" mb="md">
        {forms.notSaved}
      </Text>
      <Group gap="xs" justify="flex-end">
        <Button variant="default" onClick={reset} data-autofocus>
          {forms.goOn}
        </Button>
        <Button
          color="red.9"
          onClick={() => {
            forgetDraft(form);
            proceed();
          }}
        >
          {forms.discard}
        </Button>
      </Group>
    </Modal>
  );
}

/** Says that the form holds what was written before it was opened. */
export function Restored({ state }: Readonly<{ state: Pick<DraftState<object>, "isRestored" | "startOver"> }>) {
  if (!state.isRestored) return null;
  return (
    <Group gap="xs">
      <Text size="sm">{forms.restored}</Text>
      <Button size="compact-sm" variant="default" onClick={state.startOver}>
        {forms.startOver}
      </Button>
    </Group>
  );
}
