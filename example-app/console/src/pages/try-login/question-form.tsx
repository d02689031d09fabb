import { CloseButton, Grid, TextInput } from "@mantine/core";
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

/** The id of the devices that are offered. */
const DEVICES = "devices";

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
        <TextInput
          label="With the device"
          placeholder="your own"
          size="md"
          list={DEVICES}
          value={shown}
          onChange={(event) => {
            const text = event.currentTarget.value;
            onChange({ ...question, userAgent: USER_AGENTS.find(({ label }) => label === text)?.value ?? text });
          }}
          maxLength={MAX_USER_AGENT}
          autoComplete="off"
          rightSection={
            shown !== "" && (
              <CloseButton
                aria-label="Your own device"
                onClick={() => {
                  onChange({ ...question, userAgent: "" });
                }}
              />
            )
          }
        />
        <datalist id={DEVICES}>
          {USER_AGENTS.map(({ label }) => (
            <option key={label} value={label} />
          ))}
        </datalist>
      </Grid.Col>
    </Grid>
  );
}
