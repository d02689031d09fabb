import { ActionIcon, CopyButton, type MantineSize } from "@mantine/core";
import { CheckIcon, CopyIcon } from "./icons.js";
import { parts } from "../texts/en/parts.js";

/** A button that copies a text. */
export function Copy({
  value,
  label = parts.copy,
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
          aria-label={copied ? parts.copied : label}
          title={label}
        >
          {copied ? <CheckIcon /> : <CopyIcon />}
        </ActionIcon>
      )}
    </CopyButton>
  );
}
