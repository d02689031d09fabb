import { Suspense, useId, useState, type ComponentProps, type ReactNode } from "react";
import { parts } from "../texts/en/parts.js";
import type { API_OPERATIONS } from "./api-operations.js";
import { HelpIcon } from "./icons.js";
import { later } from "./later.js";

/** What help explains. */
export type Term = keyof typeof API_OPERATIONS;

const HelpText = later(async () => (await import("./help-text.js")).readHelpText());

interface HelpProps {
  term: Term;
  /** What the page calls it. */
  name: string;
}

/** A button that tells what a term means. The browser closes what it opens, by Escape too, and gives the focus back. */
export function Help({ term, name }: Readonly<HelpProps>) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const label = parts.whatIs({ term: name });
  return (
    <>
      <button
        type="button"
        className="close"
        aria-label={label}
        popoverTarget={id}
        data-mantine-stop-propagation={isOpen} // then Escape does not close the form
      >
        <HelpIcon size={16} />
      </button>
      <span
        id={id}
        popover="auto"
        className="help-text"
        onToggle={({ newState }) => {
          setOpen(newState === "open");
        }}
      >
        <Suspense>{isOpen && <HelpText term={term} label={label} />}</Suspense>
      </span>
    </>
  );
}

/**
 * The label of a field, with help beside it: `<TextInput {...helped(idps.issuer, "issuer")} />`. The button is no part of
 * the label, so the name of the field stays as it is.
 */
export function helped(label: string, term: Term) {
  const renderRoot = (props: ComponentProps<"label">): ReactNode => (
    <span className="helped">
      <label {...props} />
      <Help term={term} name={label} />
    </span>
  );
  return { label, labelProps: { renderRoot } };
}
