import { Alert, Group, List, Modal, Stack, Text } from "@mantine/core";
import type { ApiToken } from "../../api/types.js";
import { ConfirmButtons } from "../../parts/confirm-buttons.js";
import { Problem } from "../../parts/problem.js";
import { useSession } from "../../session/use-session.js";
import { tokenActions } from "../../texts/en/token-actions.js";
import { revokeToken } from "./requests.js";
import { below, useTokenWrite, withAncestors } from "./use-tokens.js";
import { visible } from "../../parts/visible.js";

interface RevokeTokenProps {
  token: ApiToken;
  tokens: readonly ApiToken[];
  onClose: () => void;
}

/** Revokes a token, after it has said what ends with it. */
export function RevokeToken({ token, tokens, onClose }: Readonly<RevokeTokenProps>) {
  const session = useSession();
  const revoke = useTokenWrite(async () => {
    await revokeToken(token.id);
    onClose();
  });
  const isOwn = withAncestors(tokens, session.token.id).has(token.id);
  return (
    <Modal
      opened
      onClose={onClose}
      title={tokenActions.revoke}
      closeButtonProps={{ "aria-label": tokenActions.close }}
      attributes={{ header: { role: "presentation" } }}
    >
      <Stack>
        {revoke.error && <Problem error={revoke.error} title={tokenActions.notRevoked} />}
        <Text size="sm" className="foreign">
          {tokenActions.aboutRevoke({ name: <b key="name">{visible(token.name)}</b> })}
        </Text>
        <TokenNames title={tokenActions.madeThese} tokens={below(tokens, token.id)} />
        {isOwn && (
          <Alert color="yellow" title={tokenActions.sessionEnds}>
            {tokenActions.aboutSession}
          </Alert>
        )}
        <Group justify="flex-end">
          <ConfirmButtons
            action={tokenActions.revokeIt}
            isPending={revoke.isPending}
            onConfirm={() => {
              revoke.mutate(undefined);
            }}
            onCancel={onClose}
          />
        </Group>
      </Stack>
    </Modal>
  );
}

/** How many names are shown; the others are counted. */
const SHOWN = 8;

export function TokenNames({ title, tokens }: Readonly<{ title: string; tokens: readonly ApiToken[] }>) {
  if (tokens.length === 0) return null;
  return (
    <div>
      <Text size="sm">{title}</Text>
      <List size="sm" className="foreign">
        {tokens.slice(0, SHOWN).map(({ id, name }) => (
          <List.Item key={id}>{visible(name)}</List.Item>
        ))}
        {tokens.length > SHOWN && <List.Item>{tokenActions.more({ n: tokens.length - SHOWN })}</List.Item>}
      </List>
    </div>
  );
}
