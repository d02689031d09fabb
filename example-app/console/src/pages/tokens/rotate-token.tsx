import { Alert, Button, Group, Modal, Select, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ApiToken } from "../../api/types.js";
import { faultsOf } from "../../parts/faults.js";
import { Problem } from "../../parts/problem.js";
import { useSession } from "../../session/use-session.js";
import { readToken, rotateToken } from "./requests.js";
import { Secret } from "./secret.js";
import { useTokenWrite } from "./use-tokens.js";
import { visible } from "../../parts/visible.js";

const LONGEST = "longest";

const OVERLAPS = [
  { value: LONGEST, label: "As long as the server allows" },
  { value: "3600", label: "For one hour" },
  { value: "0", label: "Not at all: the token leaked" },
];

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
      title={isShown ? "The new secret" : "Rotate a token"}
      closeOnEscape={!isShown}
      closeOnClickOutside={!isShown}
      withCloseButton={!isShown}
      closeButtonProps={{ "aria-label": "Close" }}
      attributes={{ header: { role: "presentation" } }}
    >
      {rotate.data ? (
        <Secret token={rotate.data} onDone={onClose} />
      ) : (
        <Stack>
          {current.error && <Problem error={current.error} />}
          {rotate.error && <Problem error={rotate.error} title="The token was not rotated" />}
          <Text size="sm" className="foreign">
            <b>{visible(token.name)}</b> gets a new secret, and keeps its scopes and its end.
          </Text>
          {current.data?.data.previousSecretExpiresAt != null && (
            <Alert color="yellow" title="It was rotated a short while ago">
              Another rotation ends the oldest secret at once.
            </Alert>
          )}
          {token.id === session.token.id && (
            <Alert color="yellow" title="Your session uses this token">
              The session ends with the old secret.
            </Alert>
          )}
          <Select
            label="How long the old secret stays valid too"
            data={OVERLAPS}
            value={overlap}
            onChange={(value) => {
              setOverlap(value ?? LONGEST);
            }}
            error={faultsOf(rotate.error)["overlapSeconds"]}
            allowDeselect={false}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              loading={rotate.isPending}
              disabled={!current.data}
              onClick={() => {
                rotate.mutate(undefined);
              }}
            >
              Rotate
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
