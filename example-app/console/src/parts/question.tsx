import { Button, Group, Modal, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { parts } from "../texts/en/parts.js";

interface QuestionProps {
  title: string;
  /** What the person is to know first. */
  children: ReactNode;
  /** On the button that goes on. */
  action: string;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks before something is done. */
export function Question({ title, children, action, onClose, onConfirm }: Readonly<QuestionProps>) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeButtonProps={{ "aria-label": parts.close }}
      attributes={{ header: { role: "presentation" } }}
      centered
    >
      <Stack>
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {parts.cancel}
          </Button>
          <Button
            data-autofocus
            onClick={() => {
              onClose();
              onConfirm();
            }}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
