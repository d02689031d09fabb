import { Autocomplete, Grid, TextInput } from "@mantine/core";
import type { Question } from "../../parts/tried.js";
import { USER_AGENTS } from "../../parts/user-agents.js";

interface QuestionFormProps {
  question: Question;
  onChange: (question: Question) => void;
  addressFault: string | undefined;
}

/** The longest login and user agent that the server takes. */
const MAX_LOGIN = 255;
const MAX_USER_AGENT = 1_024;

export function QuestionForm({ question, onChange, addressFault }: Readonly<QuestionFormProps>) {
  const shown = USER_AGENTS.find(({ value }) => value === question.userAgent)?.label ?? question.userAgent;
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <TextInput
          label="Login"
          placeholder="joe@example.com"
          size="md"
          value={question.login}
          onChange={(event) => {
            onChange({ ...question, login: event.currentTarget.value });
          }}
          maxLength={MAX_LOGIN}
          autoFocus
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Grid.Col>
      <Grid.Col span={{ base: 12, sm: 6, md: 3 }}>
        <TextInput
          label="From the address"
          placeholder="your own"
          size="md"
          value={question.clientIp}
          onChange={(event) => {
            onChange({ ...question, clientIp: event.currentTarget.value.trim() });
          }}
          error={addressFault}
          autoComplete="off"
          spellCheck={false}
        />
      </Grid.Col>
      <Grid.Col span={{ base: 12, sm: 6, md: 3 }}>
        <Autocomplete
          label="With the device"
          placeholder="your own"
          size="md"
          data={USER_AGENTS.map(({ label }) => label)}
          value={shown}
          onChange={(text) => {
            onChange({ ...question, userAgent: USER_AGENTS.find(({ label }) => label === text)?.value ?? text });
          }}
          maxLength={MAX_USER_AGENT}
          clearable
          clearButtonProps={{ "aria-label": "Your own device" }}
        />
      </Grid.Col>
    </Grid>
  );
}
