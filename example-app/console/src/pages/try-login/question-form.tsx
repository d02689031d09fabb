import { TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { Close } from "../../parts/close.js";
import { helped } from "../../parts/help.js";
import { labelOfDevice, userAgentOf, type Question } from "../../parts/tried.js";
import { USER_AGENTS } from "../../parts/user-agents.js";
import { tryLogin as texts } from "../../texts/en/try-login.js";

interface QuestionFormProps {
  question: Question;
  onChange: (question: Question) => void;
  /** The question is done for now: a field was left, or Enter pressed. */
  onDone: () => void;
  addressFault: ReactNode;
}

/** The longest login and user agent that the server takes. */
const MAX_LOGIN = 255;
const MAX_USER_AGENT = 1_024;

/** The id of the devices that are offered. */
const DEVICES = "devices";

export function QuestionForm({ question, onChange, onDone, addressFault }: Readonly<QuestionFormProps>) {
  const shown = labelOfDevice(question.userAgent);
  return (
    <div
      className="question"
      onBlur={onDone}
      onKeyDown={({ key }) => {
        if (key === "Enter") onDone();
      }}
    >
      <TextInput
        {...helped(texts.login, "login")}
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
      <TextInput
        {...helped(texts.address, "clientAddress")}
        placeholder={texts.yourOwn}
        size="md"
        value={question.clientIp}
        onChange={(event) => {
          onChange({ ...question, clientIp: event.currentTarget.value.trim() });
        }}
        error={addressFault}
        autoComplete="off"
        spellCheck={false}
      />
      <TextInput
        {...helped(texts.device, "device")}
        placeholder={texts.yours}
        size="md"
        list={DEVICES}
        value={shown}
        onChange={(event) => {
          onChange({ ...question, userAgent: userAgentOf(event.currentTarget.value) });
        }}
        maxLength={MAX_USER_AGENT}
        autoComplete="off"
        rightSection={
          shown !== "" && (
            <Close
              label={texts.ownDevice}
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
    </div>
  );
}
