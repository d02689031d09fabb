import { Button, Group, SegmentedControl, Select, Stack, Text, TextInput } from "@mantine/core";
import type { ApiProblem } from "../../api/http.js";
import { ExpressionField } from "../../parts/expression-field.js";

/** What the list is asked. */
export interface Question {
  readonly mode: Mode;
  readonly text: string;
  readonly order: string;
}

type Mode = (typeof MODES)[number]["value"];

export const NO_QUESTION: Question = { mode: "q", text: "", order: "" };

const MODES = [
  { value: "q", label: "Begins with" },
  { value: "filter", label: "Filter" },
  { value: "search", label: "Search" },
] as const;

const ORDERS = [
  { value: "", label: "Usual order" },
  { value: "profile.login asc", label: "Login" },
  { value: "profile.lastName asc", label: "Last name" },
  { value: "profile.firstName asc", label: "First name" },
  { value: "status asc", label: "Status" },
  { value: "created desc", label: "Newest first" },
  { value: "lastUpdated desc", label: "Changed last first" },
];

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
          aria-label="How to find users"
          data={[...MODES]}
          value={mode}
          onChange={(value) => {
            onChange({ ...question, mode: value, text: "" });
          }}
        />
        <Select
          aria-label="Order"
          data={ORDERS}
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
          label="Login, e-mail, first or last name"
          placeholder="ann"
          value={text}
          onChange={(event) => {
            write(event.currentTarget.value);
          }}
          error={mistake?.causes[0]?.replace(/^q: /, "")}
          maxLength={128}
          autoComplete="off"
        />
      ) : (
        <ExpressionField
          label={mode === "filter" ? "Filter by exact values" : "Search every attribute"}
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
            Try
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
