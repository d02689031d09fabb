import { Drawer } from "@mantine/core";
import { useEffect, type ReactNode } from "react";
import { useNotice } from "./notices/use-notice.js";
import { Unsaved } from "./unsaved.js";
import { usePanelTitle } from "./titles.js";
import { ForgottenFocusContext, useReturnedFocus } from "./use-returned-focus.js";
import { parts } from "../texts/en/parts.js";

interface PanelProps {
  title: ReactNode;
  /** The name of the record, for the tab of the browser. By default the title. */
  name?: string | undefined;
  /** The address of a form, which may hold what is not saved. */
  form?: string | undefined;
  /** @default "xl" */
  size?: "lg" | "xl";
  onClose: () => void;
  /** Whether it closes only by a button in it, because it shows what nobody can see again. */
  isHeld?: boolean;
  children: ReactNode;
}

/** A drawer over the page, for one record. */
export function Panel({ title, name, form, size = "xl", onClose, isHeld = false, children }: Readonly<PanelProps>) {
  usePanelTitle(name ?? (typeof title === "string" ? title : ""));
  const forgetFocus = useReturnedFocus();
  const tell = useNotice();
  useEffect(() => {
    tell(undefined); // it would lie over the buttons
  }, [tell]);
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={size}
      title={title}
      closeOnEscape={!isHeld}
      closeOnClickOutside={!isHeld}
      withCloseButton={!isHeld}
      closeButtonProps={{ "aria-label": parts.close }}
      attributes={{ header: { role: "presentation" } }}
      styles={{ title: { minWidth: 0 } }}
    >
      {form !== undefined && <Unsaved form={form} />}
      <ForgottenFocusContext value={forgetFocus}>{children}</ForgottenFocusContext>
    </Drawer>
  );
}
