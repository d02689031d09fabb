import { Button } from "@mantine/core";
import { parts } from "../texts/en/parts.js";

interface ConfirmButtonsProps {
  /** On the button that does it: `Delete the rule`. */
  action: string;
  isPending: boolean;
  onConfirm: () => void;
  onCancel: () => void;
  size?: "xs" | "sm";
}

/** The end of a question about what can't be undone. Cancel takes the focus. */
export function ConfirmButtons({ action, isPending, onConfirm, onCancel, size = "sm" }: Readonly<ConfirmButtonsProps>) {
  return (
    <>
      <Button size={size} variant="default" onClick={onCancel} autoFocus data-autofocus>
        {parts.cancel}
      </Button>
      <Button size={size} color="red.9" loading={isPending} onClick={onConfirm}>
        {action}
      </Button>
    </>
  );
}
