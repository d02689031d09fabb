import { Button } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { CheckIcon, CopyIcon } from "../../parts/icons.js";
import { tryAnswer as texts } from "../../texts/en/try-answer.js";

/** Copies the address of the page, which says all that it asks. */
export function CopyLink() {
  const { copied, copy } = useClipboard({ timeout: 1_500 });
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={copied ? <CheckIcon size={14} /> : <CopyIcon size={14} />}
      onClick={() => {
        copy(window.location.href);
      }}
    >
      {copied ? texts.copied : texts.copyLink}
    </Button>
  );
}
