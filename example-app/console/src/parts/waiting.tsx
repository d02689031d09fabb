import { Loader, type LoaderProps } from "@mantine/core";

interface WaitingProps {
  /** What comes: `Reading the rules`. */
  what: string;
  size?: LoaderProps["size"];
}

/** Shows that something is on its way. It has a role: what has none may have no name, and a screen reader tells neither. */
export function Waiting({ what, size = "md" }: Readonly<WaitingProps>) {
  return <Loader size={size} role="progressbar" aria-label={what} />;
}
