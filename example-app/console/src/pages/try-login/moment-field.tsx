import { Group, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { Close } from "../../parts/close.js";
import { helped } from "../../parts/help.js";
import { toLocal, toUtc } from "../../parts/local-time.js";
import type { Moment } from "./search.js";
import { tryLogin as texts } from "../../texts/en/try-login.js";

interface MomentFieldProps {
  moment: Moment;
  onChange: (moment: Moment) => void;
  /** What the server says is wrong with the time. */
  fault: ReactNode;
}

/** The time whose rules decide; by default now. */
export function MomentField({ moment, onChange, fault }: Readonly<MomentFieldProps>) {
  const { at, revision } = moment;
  return (
    <Group align="flex-end" gap="sm" mt="md">
      <TextInput
        type="datetime-local"
        step={1}
        {...helped(texts.rulesOf, "rulesOf")}
        description={texts.emptyForNow}
        value={at === undefined ? "" : toLocal(at)}
        onChange={(event) => {
          onChange({ at: toUtc(event.currentTarget.value) });
        }}
        error={fault}
        w={260}
      />
      {revision !== undefined && (
        <span className="chip">
          {texts.revision({ revision: String(revision) })}
          <Close
            label={texts.rulesOfNow}
            onClick={() => {
              onChange({});
            }}
          />
        </span>
      )}
    </Group>
  );
}
