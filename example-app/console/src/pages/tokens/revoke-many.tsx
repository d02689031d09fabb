import { Alert, Button, Group, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { ApiToken } from "../../api/types.js";
import { byName } from "../../parts/collate.js";
import { helped } from "../../parts/help.js";
import { Panel } from "../../parts/panel.js";
import { Problem } from "../../parts/problem.js";
import { useSession } from "../../session/use-session.js";
import { tokenActions } from "../../texts/en/token-actions.js";
import { tokenForm } from "../../texts/en/token-form.js";
import { revokeTokens, type Criteria } from "./requests.js";
import { TokenNames } from "./revoke-token.js";
import { below, useTokenWrite, withAncestors } from "./use-tokens.js";
import { describeCreator } from "./describe-creator.js";

interface RevokeManyProps {
  tokens: readonly ApiToken[];
  onClose: () => void;
}

const DAY_MS = 86_400_000;

const DAYS = [1, 7, 30, 90, 180, 365];

const listAges = () => DAYS.map((n) => ({ value: String(n), label: tokenForm.days({ n }) }));

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
    <Panel title={tokenActions.revokeMany} onClose={onClose}>
      <Stack>
        {revoke.error && <Problem error={revoke.error} title={tokenActions.noneRevoked} />}
        <Text size="sm">{tokenActions.aboutMany}</Text>
        <Select
          label={tokenActions.unused}
          data={listAges()}
          value={unused}
          onChange={setUnused}
          placeholder={tokenActions.anything}
          clearable
        />
        <Select
          label={tokenActions.olderThan}
          data={listAges()}
          value={age}
          onChange={setAge}
          placeholder={tokenActions.anything}
          clearable
        />
        <Select
          {...helped(tokenActions.madeBy, "madeBy")}
          data={[...creators]
            .flatMap(([id, name]) => (id === undefined ? [] : [{ id, name }]))
            .sort(byName)
            .map(({ id, name }) => ({ value: id, label: name }))}
          value={creator}
          onChange={setCreator}
          placeholder={tokenActions.anything}
          searchable
          clearable
        />
        <div role="status">
          {revoke.data !== undefined ? (
            <Alert color="teal" title={tokenActions.revoked({ n: revoke.data })} role="group" />
          ) : (
            <>
              {Object.keys(criteria).length > 0 && met.length === 0 && <Text size="sm">{tokenActions.noneMeets}</Text>}
              <TokenNames title={tokenActions.theseEnd} tokens={met} />
            </>
          )}
        </div>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {revoke.data !== undefined ? tokenActions.done : tokenActions.cancel}
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
              {tokenActions.revokeCount({ n: met.length })}
            </Button>
          )}
        </Group>
      </Stack>
    </Panel>
  );
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
