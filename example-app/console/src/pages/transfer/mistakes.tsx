import { Alert, Box, Group, Text } from "@mantine/core";
import { ApiProblem } from "../../api/http.js";
import { Copy } from "../../parts/copy.js";
import type { Mistake } from "./places.js";
import { visible } from "../../parts/visible.js";

/** What is wrong in a file: each mistake with its line and its place. Nothing was imported. */
export function Mistakes({ mistakes, error }: Readonly<{ mistakes: readonly Mistake[]; error?: Error | null }>) {
  const id = error instanceof ApiProblem ? error.id : "";
  return (
    <Alert color="red" variant="light" title="The file can't be imported as it is" role="alert">
      <Text size="sm" mb="xs">
        Nothing was changed. Mend this and choose the file again.
      </Text>
      <Box
        component="ul"
        m={0}
        p={0}
        mah={360}
        style={{ overflow: "auto", listStyle: "none" }}
        tabIndex={0}
        aria-label="Mistakes"
      >
        {mistakes.map(({ line, place, reason }) => (
          <Box component="li" key={`${line} ${place} ${reason}`} py={4}>
            <Group gap="sm" align="baseline" wrap="nowrap">
              <Text size="sm" fw={600} miw={64} style={{ fontVariantNumeric: "tabular-nums" }}>
                {line !== undefined && `Line ${line}`}
              </Text>
              <Text size="sm" className="foreign" miw={0}>
                {place !== "" && (
                  <>
                    <span className="mono">{place}</span>:{" "}
                  </>
                )}
                {visible(reason)}
              </Text>
            </Group>
          </Box>
        ))}
      </Box>
      {id !== "" && (
        <Group gap={6} mt="xs">
          <Text size="xs" className="mono">
            {id}
          </Text>
          <Copy value={id} label="Copy the id of the request" />
        </Group>
      )}
    </Alert>
  );
}
