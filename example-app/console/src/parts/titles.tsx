import { createContext, useContext, useEffect, useState, type ReactNode } from "react";
import { useSession } from "../session/use-session.js";
import { visible } from "./visible.js";

const PanelTitleContext = createContext<(name: string | undefined) => void>(() => undefined);

/** The title of the tab: `Office · Zones · Contoso` while the zone Office is open over its page. */
export function TabTitle({ page, children }: Readonly<{ page: string; children: ReactNode }>) {
  const { org } = useSession();
  const [panel, setPanel] = useState<string>();
  const parts = [panel, page, org.name].filter((part) => part !== undefined && part !== "");
  return (
    <PanelTitleContext value={setPanel}>
      <title>{visible(parts.join(" · "))}</title>
      {children}
    </PanelTitleContext>
  );
}

/** The part of the title that is of what is open over a page. */
export function usePanelTitle(name: string): void {
  const setPanel = useContext(PanelTitleContext);
  useEffect(() => {
    setPanel(name);
    return () => {
      setPanel(undefined);
    };
  }, [name, setPanel]);
}
