import { Drawer } from "@mantine/core";
import type { ReactNode } from "react";

interface PanelProps {
  title: ReactNode;
  onClose: () => void;
  /** Whether it closes only by a button in it, because it shows what nobody can see again. */
  isHeld?: boolean;
  children: ReactNode;
}

/** A drawer over the page, for one record. */
export function Panel({ title, onClose, isHeld = false, children }: Readonly<PanelProps>) {
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="xl"
      title={title}
      closeOnEscape={!isHeld}
      closeOnClickOutside={!isHeld}
      withCloseButton={!isHeld}
      closeButtonProps={{ "aria-label": "Close" }}
      attributes={{ header: { role: "presentation" } }}
      styles={{ title: { minWidth: 0 } }}
    >
      {children}
    </Drawer>
  );
}
