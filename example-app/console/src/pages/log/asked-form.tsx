import { useState, type CSSProperties, type ReactNode } from "react";

interface AskedFormProps {
  /** What is asked now. */
  value: string;
  onAsk: (value: string) => void;
  /** The field. */
  children: (draft: string, write: (draft: string) => void) => ReactNode;
  style?: CSSProperties;
}

/** A field whose text is asked when it is whole: at Enter, or when one leaves the field. */
export function AskedForm({ value, onAsk, children, style }: Readonly<AskedFormProps>) {
  const [draft, setDraft] = useState(value);
  const [asked, setAsked] = useState(value);
  if (asked !== value) {
    setAsked(value);
    setDraft(value);
  }
  const ask = () => {
    if (draft.trim() !== value) onAsk(draft.trim());
  };
  return (
    <form
      style={style}
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
      onBlur={ask}
    >
      {children(draft, setDraft)}
    </form>
  );
}
