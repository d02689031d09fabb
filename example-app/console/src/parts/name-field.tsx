import { TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { forms } from "../texts/en/forms.js";

interface NameFieldProps {
  name: string;
  onChange: (name: string) => void;
  /** What the server says is wrong with it. */
  error: ReactNode;
}

/** The name of a record, which comes first in its form. */
export function NameField({ name, onChange, error }: Readonly<NameFieldProps>) {
  return (
    <TextInput
      label={forms.name}
      value={name}
      onChange={(event) => {
        onChange(event.currentTarget.value);
      }}
      error={error}
      maxLength={128}
      required
      data-autofocus
    />
  );
}
