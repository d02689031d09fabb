import type { ReactNode } from "react";

/** A place whose news a screen reader tells. It is there before them: what comes together with its place is not told. */
export function Live({ children }: Readonly<{ children: ReactNode }>) {
  return (
    <div role="status" style={{ display: "contents" }}>
      {children}
    </div>
  );
}
