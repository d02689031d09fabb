import { Alert, Button, Code, CopyButton, Group, Stack, Text } from "@mantine/core";
import { CheckIcon, CopyIcon } from "../../parts/icons.js";
import { When } from "../../parts/when.js";
import { tokenActions } from "../../texts/en/token-actions.js";
import type { TokenWithSecret } from "./requests.js";
import { visible } from "../../parts/visible.js";

/** A new secret, which is in no other response and which this page does not keep. */
export function Secret({ token, onDone }: Readonly<{ token: TokenWithSecret; onDone: () => void }>) {
  const { name, token: secret, expiresAt, previousSecretExpiresAt: previous } = token;
  return (
    <Stack>
      <Alert color="teal" variant="light" title={tokenActions.copyNow}>
        {tokenActions.aboutCopy}
      </Alert>
      <Text size="sm" className="foreign">
        {tokenActions.expires({ name: visible(name), when: <When key="when" date={expiresAt} /> })}
      </Text>
      <Code block tabIndex={0} data-testid="secret" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        {secret}
      </Code>
      {previous !== null && (
        <Text size="sm">{tokenActions.oldUntil({ when: <When key="when" date={previous} /> })}</Text>
      )}
      <Group justify="flex-end">
        <CopyButton value={secret} timeout={3_000}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              leftSection={copied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
              onClick={copy}
              autoFocus // what had the focus is gone
              data-autofocus
            >
              {copied ? tokenActions.copied : tokenActions.copy}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onDone}>{tokenActions.done}</Button>
      </Group>
    </Stack>
  );
}
