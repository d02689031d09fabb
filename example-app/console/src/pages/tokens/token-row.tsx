import { Badge, Box, Button, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { ApiToken } from "../../api/types.js";
import { When } from "../../parts/when.js";
import { useSession } from "../../session/use-session.js";
import { tokens as texts } from "../../texts/en/tokens.js";
import { describeScopes } from "./scopes.js";
import { isExpired, isRotatable } from "./use-tokens.js";
import { visible } from "../../parts/visible.js";
import { describeCreator } from "./describe-creator.js";

interface TokenRowProps {
  token: ApiToken;
  tokens: readonly ApiToken[];
  canWrite: boolean;
  onRotate: (token: ApiToken) => void;
  onRevoke: (token: ApiToken) => void;
}

/** One token: what it may do, from where, and since and until when. */
export function TokenRow({ token, tokens, canWrite, onRotate, onRevoke }: Readonly<TokenRowProps>) {
  const { token: own } = useSession();
  const { name, scopes, addresses, created, lastUsed, expiresAt, previousSecretExpiresAt: previous } = token;
  return (
    <Group px="md" py="sm" gap="sm" align="flex-start">
      <Box flex="1 1 260px" miw={0}>
        <Group gap="xs">
          <Text fw={600} className="foreign">
            {visible(name)}
          </Text>
          {token.id === own.id && (
            <Badge variant="light" tt="none">
              {texts.own}
            </Badge>
          )}
          {isExpired(token) && (
            <Badge variant="light" color="red" tt="none">
              {texts.expired}
            </Badge>
          )}
        </Group>
        <Text className="mono foreign">{describeScopes(scopes)}</Text>
        <Group gap="md" style={{ rowGap: 0 }}>
          <Fact label={texts.expires}>
            <When date={expiresAt} />
          </Fact>
          <Fact label={texts.lastUsed}>
            <When date={lastUsed} />
          </Fact>
          <Fact label={texts.created}>
            {texts.createdBy({ when: <When key="when" date={created} />, creator: describeCreator(token, tokens) })}
          </Fact>
          {addresses.length > 0 && <Fact label={texts.onlyFrom}>{addresses.join(", ")}</Fact>}
        </Group>
        {previous !== null && Date.parse(previous) > Date.now() && (
          <Text size="sm" component="div">
            {texts.rotated({ when: <When key="when" date={previous} /> })}
          </Text>
        )}
      </Box>
      {canWrite && (
        <Group gap="xs">
          {isRotatable(token) && (
            <Button
              size="xs"
              variant="default"
              aria-label={texts.rotateNamed({ name: visible(name) })}
              onClick={() => {
                onRotate(token);
              }}
            >
              {texts.rotate}
            </Button>
          )}
          <Button
            size="xs"
            variant="default"
            c="var(--mantine-color-error)"
            aria-label={texts.revokeNamed({ name: visible(name) })}
            onClick={() => {
              onRevoke(token);
            }}
          >
            {texts.revoke}
          </Button>
        </Group>
      )}
    </Group>
  );
}

function Fact({ label, children }: Readonly<{ label: string; children: ReactNode }>) {
  return (
    <Text size="sm" component="div" className="foreign">
      <Text span c="dimmed">
        {label}
      </Text>{" "}
      {children}
    </Text>
  );
}
