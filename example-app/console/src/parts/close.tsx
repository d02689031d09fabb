import { CrossIcon } from "./icons.js";

/** A button with a cross, which takes something away. */
export function Close({ label, onClick }: Readonly<{ label: string; onClick: () => void }>) {
  return (
    <button type="button" className="close" aria-label={label} title={label} onClick={onClick}>
      <CrossIcon size={16} />
    </button>
  );
}
