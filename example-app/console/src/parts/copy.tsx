import { ActionIcon, CopyButton, type MantineSize } from "@mantine/core";
import { CheckIcon, CopyIcon } from "./icons.js";

/** A button that copies a text. */
export function Copy({
  value,
  label = "Copy",
  size = "md",
}: Readonly<{ value: string; label?: string; size?: MantineSize }>) {
  return (
    <CopyButton value={value} timeout={1_500}>
      {({ copied, copy }) => (
        <ActionIcon
          variant="subtle"
          size={size}
          color={copied ? "teal" : "gray"}
          onClick={copy}
          aria-label={copied ? "Copied" : label}
          title={label}
        >
          {copied ? <CheckIcon /> : <CopyIcon />}
        </ActionIcon>
      )}
    </CopyButton>
  );
}
