import { Group, Text } from "@mantine/core";
import { describeQuestion, type Question } from "../../parts/tried.js";
import { visible } from "../../parts/visible.js";
import { tryLogin as texts } from "../../texts/en/try-login.js";

/** How many of the logins that were tried last are offered again. */
const SHOWN = 8;

interface TriedProps {
  tried: readonly Question[];
  onChoose: (question: Question) => void;
}

/** The logins that were tried last, to try one again. */
export function Tried({ tried, onChoose }: Readonly<TriedProps>) {
  return (
    <Group gap={6} mt="md" role="group" aria-label={texts.triedLast}>
      <Text size="xs" c="dimmed">
        {texts.triedLast}
      </Text>
      {tried.slice(0, SHOWN).map((question) => (
        <button
          key={JSON.stringify(question)}
          type="button"
          className="chip"
          onClick={() => {
            onChoose(question);
          }}
        >
          <span className="foreign">{visible(describeQuestion(question))}</span>
        </button>
      ))}
    </Group>
  );
}
