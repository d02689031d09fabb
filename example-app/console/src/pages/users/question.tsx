import { Button, Group, SegmentedControl, Select, Stack, Text, TextInput } from "@mantine/core";
import type { ApiProblem } from "../../api/http.js";
import { ExpressionField } from "../../parts/expression-field.js";
import { helped } from "../../parts/help.js";
import { ServerText } from "../../parts/server-text.js";
import { users } from "../../texts/en/users.js";

/** What the list is asked. */
export interface Question {
  readonly mode: Mode;
  readonly text: string;
  readonly order: string;
}

type Mode = (typeof MODES)[number];

export const NO_QUESTION: Question = { mode: "q", text: "", order: "" };

const MODES = ["q", "filter", "search"] as const;

const ORDERS = [
  ["", "usual"],
  ["profile.login asc", "login"],
  ["profile.lastName asc", "lastName"],
  ["profile.firstName asc", "firstName"],
  ["status asc", "status"],
  ["created desc", "newest"],
  ["lastUpdated desc", "lastChanged"],
] as const;

const EXAMPLES: Readonly<Record<Mode, readonly string[]>> = {
  q: [],
  filter: ['status eq "DEPROVISIONED"', 'profile.email eq "joe@example.com"'],
  search: [
    'status eq "LOCKED_OUT" or status eq "SUSPENDED"',
    'profile.department sw "Sales"',
    'profile.login co "ext"',
  ],
};

interface QuestionFieldsProps {
  question: Question;
  onChange: (question: Question) => void;
  /** The text that {@link mistake} is about. */
  sent: string;
  mistake: ApiProblem | undefined;
}

/** How to find users: by the beginning of a name, or by an expression. */
export function QuestionFields({ question, onChange, sent, mistake }: Readonly<QuestionFieldsProps>) {
  const { mode, text, order } = question;
  const write = (changed: string) => {
    onChange({ ...question, text: changed });
  };
  return (
    <Stack gap="xs">
      <Group align="flex-end" gap="sm">
        <SegmentedControl
          aria-label={users.how}
          data={MODES.map((value) => ({ value, label: users[value] }))}
          value={mode}
          onChange={(value) => {
            onChange({ ...question, mode: value, text: "" });
          }}
        />
        <Select
          aria-label={users.order}
          data={ORDERS.map(([value, name]) => ({ value, label: users[name] }))}
          value={order}
          onChange={(value) => {
            onChange({ ...question, order: value ?? "" });
          }}
          allowDeselect={false}
          w={190}
          ml="auto"
        />
      </Group>
      {mode === "q" ? (
        <TextInput
          {...helped(users.byName, "words")}
          placeholder="ann"
          value={text}
          onChange={(event) => {
            write(event.currentTarget.value);
          }}
          error={mistake && <ServerText text={mistake.causes[0]?.replace(/^q: /, "") ?? ""} />}
          maxLength={128}
          autoComplete="off"
        />
      ) : (
        <ExpressionField
          {...(mode === "filter" ? helped(users.byFilter, "userFilter") : helped(users.bySearch, "userSearch"))}
          placeholder={EXAMPLES[mode][0] ?? ""}
          value={text}
          onChange={write}
          sent={sent}
          error={mistake}
        />
      )}
      {EXAMPLES[mode].length > 0 && (
        <Group gap={6}>
          <Text size="xs" c="dimmed">
            {users.examples}
          </Text>
          {EXAMPLES[mode].map((example) => (
            <Button
              key={example}
              size="compact-xs"
              variant="default"
              fw={400}
              ff="monospace"
              onClick={() => {
                write(example);
              }}
            >
              {example}
            </Button>
          ))}
        </Group>
      )}
    </Stack>
  );
}
