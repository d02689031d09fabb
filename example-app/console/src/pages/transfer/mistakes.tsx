import { Alert, Box, Group, Text } from "@mantine/core";
import { ApiProblem } from "../../api/http.js";
import { Copy } from "../../parts/copy.js";
import { ServerText } from "../../parts/server-text.js";
import { parts } from "../../texts/en/parts.js";
import { transferImport as texts } from "../../texts/en/transfer-import.js";
import type { Mistake } from "./places.js";
import { visible } from "../../parts/visible.js";

/** What is wrong in a file: each mistake with its line and its place. Nothing was imported. */
export function Mistakes({ mistakes, error }: Readonly<{ mistakes: readonly Mistake[]; error?: Error | null }>) {
  const id = error instanceof ApiProblem ? error.id : "";
  return (
    <Alert color="red" variant="light" title={texts.faulty} role="alert">
      <Text size="sm" mb="xs">
        {texts.mend}
      </Text>
      <Box
        component="ul"
        m={0}
        p={0}
        mah={360}
        style={{ overflow: "auto", listStyle: "none" }}
        tabIndex={0}
        aria-label={texts.mistakes}
      >
        {mistakes.map(({ line, place, reason, isOwn = false }) => (
          <Box component="li" key={`${line} ${place} ${reason}`} py={4}>
            <Group gap="sm" align="baseline" wrap="nowrap">
              <Text size="sm" fw={600} miw={64} style={{ fontVariantNumeric: "tabular-nums" }}>
                {line !== undefined && texts.lineOfMistake({ line: String(line) })}
              </Text>
              <Text size="sm" className="foreign" miw={0}>
                {place === "" ? (
                  isOwn ? (
                    reason
                  ) : (
                    <ServerText text={visible(reason)} />
                  )
                ) : (
                  texts.mistake({
                    place: (
                      <span key="place" className="mono">
                        {place}
                      </span>
                    ),
                    reason: <ServerText key="reason" text={visible(reason)} />,
                  })
                )}
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
          <Copy value={id} label={parts.copyRequestId} />
        </Group>
      )}
    </Alert>
  );
}
