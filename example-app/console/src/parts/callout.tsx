import type { ReactNode } from "react";

/** What went wrong, or may. It is Mantine's `Alert`, as much of it as the first page needs. */
export function Callout({
  color,
  title,
  children,
}: Readonly<{ color: "red" | "yellow"; title?: ReactNode; children: ReactNode }>) {
  return (
    <div className="callout" data-color={color} role="alert">
      {title !== undefined && <div className="callout-title">{title}</div>}
      {children}
    </div>
  );
}
