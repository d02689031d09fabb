import { Button } from "@mantine/core";
import { useEffect, useRef, type RefObject } from "react";
import { ruleBulk as texts } from "../../texts/en/rule-bulk.js";

interface StopProps {
  onStop: () => void;
  /** What has the focus afterwards. */
  next: RefObject<HTMLElement | null>;
}

/** Ends what changes one rule after the other. It takes the focus, which the dialog before it has lost, and passes it on. */
export function Stop({ onStop, next }: Readonly<StopProps>) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    focusInstead(button.current);
    return () => {
      setTimeout(() => {
        focusInstead(next.current);
      });
    };
  }, [next]);
  return (
    <Button
      ref={button}
      size="xs"
      variant="default"
      onClick={onStop}
      onKeyDown={(event) => {
        if (event.repeat) event.preventDefault(); // the key that has just confirmed is still down
      }}
    >
      {texts.stop}
    </Button>
  );
}

/** Unless something else has the focus. */
function focusInstead(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus();
}
