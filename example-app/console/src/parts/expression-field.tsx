import { Mark, Text, TextInput } from "@mantine/core";
import type { ApiProblem } from "../api/http.js";
import { Copy } from "./copy.js";
import type { helped } from "./help.js";
import { ServerText } from "./server-text.js";
import { parts } from "../texts/en/parts.js";

interface ExpressionFieldProps extends ReturnType<typeof helped> {
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  /** The expression that the error is about. */
  sent: string;
  /**
   * Where it began in the whole that was sent.
   *
   * @default 0
   */
  start?: number;
  error: ApiProblem | undefined;
}

const MISTAKE_REGEXP = /^\w+: found (.*) at offset (\d+), expected (.*)$/s;

/** How many characters before and after a mistake are shown. */
const CONTEXT = 60;

/** A filter, see the page of `filter()`. The place of a mistake is marked below it. */
export function ExpressionField({ value, onChange, sent, start = 0, error, ...props }: Readonly<ExpressionFieldProps>) {
  return (
    <TextInput
      {...props}
      value={value}
      onChange={(event) => {
        onChange(event.currentTarget.value);
      }}
      error={error && <Mistake sent={sent} start={start} error={error} />}
      flex={1}
      miw={0}
      spellCheck={false}
      autoComplete="off"
      styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
    />
  );
}

function Mistake({ sent, start, error }: Readonly<{ sent: string; start: number; error: ApiProblem }>) {
  const [whole = error.message] = error.causes;
  const [, found, offset, expected] = MISTAKE_REGEXP.exec(whole) ?? [];
  const index = Number(offset) - start;
  const place = offset === undefined ? undefined : splitAt(sent, index);
  const cause =
    place && start > 0
      ? `found ${index < sent.length ? String(found) : "the end"} at offset ${index}, expected ${String(expected)}`
      : whole;
  return (
    <>
      {place && (
        <Text
          span
          display="block"
          size="sm"
          px={13}
          mb={4}
          ff="monospace"
          className="foreign"
          c="var(--mantine-color-text)"
          style={{ whiteSpace: "pre-wrap" }}
        >
          {place.before}
          <Mark color="red" fw={700} td="underline wavy" data-testid="mistake">
            {place.wrong || "\u00a0\u00a0"}
          </Mark>
          {place.after}
        </Text>
      )}
      <span className="foreign">
        <ServerText text={cause.replace(/^\w+: /, "")} isSentence />
      </span>
      {error.id !== "" && <Copy value={error.id} label={parts.copyRequestId} size="xs" />}
    </>
  );
}

/** The word, literal or parenthesis at an offset, and what stands around it. */
function splitAt(text: string, offset: number) {
  const token = /[\w.$-]+|"(?:[^"\\]|\\.)*"?|./suy;
  token.lastIndex = offset;
  const wrong = token.exec(text)?.[0] ?? "";
  const [before, after] = [text.slice(0, offset), text.slice(offset + wrong.length)];
  return {
    before: before.length > CONTEXT ? `…${before.slice(-CONTEXT)}` : before,
    wrong,
    after: after.length > CONTEXT ? `${after.slice(0, CONTEXT)}…` : after,
  };
}
