import { ActionIcon, CopyButton, Tooltip, type MantineSize } from "@mantine/core";
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
        <Tooltip label={copied ? "Copied" : label} withArrow>
          <ActionIcon
            variant="subtle"
            size={size}
            color={copied ? "teal" : "gray"}
            onClick={copy}
            aria-label={copied ? "Copied" : label}
          >
            {copied ? <CheckIcon /> : <CopyIcon />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}
