import { Alert, Group, List, Modal, Stack, Text } from "@mantine/core";
import type { ApiToken } from "../../api/types.js";
import { ConfirmButtons } from "../../parts/confirm-buttons.js";
import { Problem } from "../../parts/problem.js";
import { useSession } from "../../session/use-session.js";
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
      title="Revoke a token"
      closeButtonProps={{ "aria-label": "Close" }}
      attributes={{ header: { role: "presentation" } }}
    >
      <Stack>
        {revoke.error && <Problem error={revoke.error} title="The token was not revoked" />}
        <Text size="sm" className="foreign">
          Programs that use <b>{visible(token.name)}</b> are refused from the next request on. This can't be undone.
        </Text>
        <TokenNames title="It made these tokens, which end with it:" tokens={below(tokens, token.id)} />
        {isOwn && (
          <Alert color="yellow" title="Your session ends too">
            It uses this token or one that this token made. You will have to sign in again.
          </Alert>
        )}
        <Group justify="flex-end">
          <ConfirmButtons
            action="Revoke the token"
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
        {tokens.length > SHOWN && <List.Item>{tokens.length - SHOWN} more</List.Item>}
      </List>
    </div>
  );
}
