import { Alert, Button, Group, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { ApiToken } from "../../api/types.js";
import { Panel } from "../../parts/panel.js";
import { Problem } from "../../parts/problem.js";
import { useSession } from "../../session/use-session.js";
import { revokeTokens, type Criteria } from "./requests.js";
import { TokenNames } from "./revoke-token.js";
import { below, describeCreator, useTokenWrite, withAncestors } from "./use-tokens.js";

interface RevokeManyProps {
  tokens: readonly ApiToken[];
  onClose: () => void;
}

const DAY_MS = 86_400_000;

const DAYS = [1, 7, 30, 90, 180, 365].map((days) => ({
  value: String(days),
  label: days === 1 ? "1 day" : `${days} days`,
}));

/** Revokes every token that meets criteria, after it has shown which they are. */
export function RevokeMany({ tokens, onClose }: Readonly<RevokeManyProps>) {
  const session = useSession();
  const [opened] = useState(() => Date.now());
  const [unused, setUnused] = useState<string | null>(null);
  const [age, setAge] = useState<string | null>(null);
  const [creator, setCreator] = useState<string | null>(null);
  const dateOf = (days: string) => new Date(opened - Number(days) * DAY_MS).toISOString();
  const criteria: Criteria = {
    ...(unused !== null && { unusedSince: dateOf(unused) }),
    ...(age !== null && { createdBefore: dateOf(age) }),
    ...(creator !== null && { createdBy: creator }),
  };
  const revoke = useTokenWrite(() => revokeTokens(criteria));
  const met = Object.keys(criteria).length === 0 ? [] : findMet(tokens, criteria, session.token.id);
  const creators = new Map(tokens.map((token) => [token.createdBy?.id, describeCreator(token, tokens)]));

  return (
    <Panel title="Revoke many tokens" onClose={onClose}>
      <Stack>
        {revoke.error && <Problem error={revoke.error} title="No token was revoked" />}
        <Text size="sm">
          Every token that meets all of these is revoked, and those that it made. The token of your session and those
          above it stay.
        </Text>
        <Select
          label="Not used and not created in the last"
          data={DAYS}
          value={unused}
          onChange={setUnused}
          placeholder="does not matter"
          clearable
        />
        <Select label="Older than" data={DAYS} value={age} onChange={setAge} placeholder="does not matter" clearable />
        <Select
          label="Made by"
          data={[...creators].flatMap(([id, label]) => (id === undefined ? [] : [{ value: id, label }]))}
          value={creator}
          onChange={setCreator}
          placeholder="does not matter"
          searchable
          clearable
        />
        {revoke.data !== undefined ? (
          <Alert color="teal" title={countTokens(revoke.data, "revoked")} role="status" />
        ) : (
          <div role="status">
            {Object.keys(criteria).length > 0 && met.length === 0 && <Text size="sm">No token meets these.</Text>}
            <TokenNames title="These end:" tokens={met} />
          </div>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {revoke.data !== undefined ? "Done" : "Cancel"}
          </Button>
          {revoke.data === undefined && (
            <Button
              color="red.9"
              disabled={met.length === 0}
              loading={revoke.isPending}
              onClick={() => {
                revoke.mutate(undefined);
              }}
            >
              Revoke {met.length === 1 ? "1 token" : `${met.length} tokens`}
            </Button>
          )}
        </Group>
      </Stack>
    </Panel>
  );
}

function countTokens(count: number, what: string): string {
  return count === 1 ? `1 token was ${what}` : `${count} tokens were ${what}`;
}

/** Which tokens the server will find, as far as the page knows them. */
function findMet(tokens: readonly ApiToken[], criteria: Criteria, own: string): ApiToken[] {
  const { unusedSince, createdBefore, createdBy } = criteria;
  const kept = withAncestors(tokens, own);
  const met = tokens.filter(
    (token) =>
      !kept.has(token.id) &&
      (unusedSince == null || (token.created < unusedSince && (token.lastUsed ?? "") < unusedSince)) &&
      (createdBefore == null || token.created < createdBefore) &&
      (createdBy == null || token.createdBy?.id === createdBy),
  );
  return [...new Set(met.flatMap((token) => [token, ...below(tokens, token.id)]))];
}
