import { Alert, Button, Group, Modal, Select, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ApiToken } from "../../api/types.js";
import { faultsOf } from "../../parts/faults.js";
import { helped } from "../../parts/help.js";
import { Problem } from "../../parts/problem.js";
import { useSession } from "../../session/use-session.js";
import { tokenActions } from "../../texts/en/token-actions.js";
import { readToken, rotateToken } from "./requests.js";
import { Secret } from "./secret.js";
import { useTokenWrite } from "./use-tokens.js";
import { visible } from "../../parts/visible.js";

const LONGEST = "longest";

/** Gives a token another secret, unless somebody else has just done it. */
export function RotateToken({ token, onClose }: Readonly<{ token: ApiToken; onClose: () => void }>) {
  const session = useSession();
  const [overlap, setOverlap] = useState(LONGEST);
  const current = useQuery({
    queryKey: ["token", token.id],
    queryFn: ({ signal }) => readToken(token.id, signal),
    staleTime: Infinity,
    gcTime: 0,
  });
  const rotate = useTokenWrite(() =>
    rotateToken(token.id, overlap === LONGEST ? undefined : Number(overlap), current.data?.etag),
  );
  const isShown = rotate.data !== undefined;

  return (
    <Modal
      opened
      onClose={onClose}
      title={isShown ? tokenActions.newSecret : tokenActions.rotate}
      closeOnEscape={!isShown}
      closeOnClickOutside={!isShown}
      withCloseButton={!isShown}
      closeButtonProps={{ "aria-label": tokenActions.close }}
      attributes={{ header: { role: "presentation" } }}
    >
      {rotate.data ? (
        <Secret token={rotate.data} onDone={onClose} />
      ) : (
        <Stack>
          {current.error && <Problem error={current.error} />}
          {rotate.error && <Problem error={rotate.error} title={tokenActions.notRotated} />}
          <Text size="sm" className="foreign">
            {tokenActions.aboutRotate({ name: <b key="name">{visible(token.name)}</b> })}
          </Text>
          {current.data?.data.previousSecretExpiresAt != null && (
            <Alert color="yellow" title={tokenActions.rotatedAlready}>
              {tokenActions.aboutRotatedAlready}
            </Alert>
          )}
          {token.id === session.token.id && (
            <Alert color="yellow" title={tokenActions.ownRotates}>
              {tokenActions.aboutOwnRotates}
            </Alert>
          )}
          <Select
            {...helped(tokenActions.overlap, "overlap")}
            data={[
              { value: LONGEST, label: tokenActions.longest },
              { value: "3600", label: tokenActions.hour },
              { value: "0", label: tokenActions.notAtAll },
            ]}
            value={overlap}
            onChange={(value) => {
              setOverlap(value ?? LONGEST);
            }}
            error={faultsOf(rotate.error)["overlapSeconds"]}
            allowDeselect={false}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {tokenActions.cancel}
            </Button>
            <Button
              loading={rotate.isPending}
              disabled={!current.data}
              onClick={() => {
                rotate.mutate(undefined);
              }}
            >
              {tokenActions.rotateIt}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
