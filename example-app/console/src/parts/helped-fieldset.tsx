import { Fieldset } from "@mantine/core";
import { useId, type ReactNode } from "react";
import { Help, type Term } from "./help.js";

interface HelpedFieldsetProps {
  legend: string;
  term: Term;
  children: ReactNode;
}

/** A group of fields with help beside its legend. The button is no part of the group's name. */
export function HelpedFieldset({ legend, term, children }: Readonly<HelpedFieldsetProps>) {
  const id = useId();
  return (
    <Fieldset
      aria-labelledby={id}
      legend={
        <span className="helped">
          <span id={id}>{legend}</span>
          <Help term={term} name={legend} />
        </span>
      }
    >
      {children}
    </Fieldset>
  );
}
