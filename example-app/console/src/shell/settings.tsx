import { Suspense, useState } from "react";
import { HelpIcon } from "../parts/icons.js";
import { later } from "../parts/later.js";
import { shell } from "../texts/en/shell.js";

const SettingsMenu = later(async () => (await import("./settings-menu.js")).SettingsMenu);

/** The button of the header's menu. The browser closes it, by Escape too. */
export function Settings() {
  const [hasOpened, setOpened] = useState(false);
  return (
    <>
      <button
        type="button"
        className="shell-button"
        aria-label={shell.settings}
        title={shell.settings}
        popoverTarget="settings"
      >
        <HelpIcon />
      </button>
      <div
        id="settings"
        className="shell-menu"
        popover="auto"
        role="group"
        aria-label={shell.settings}
        onBeforeToggle={() => {
          setOpened(true);
        }}
      >
        <Suspense>{hasOpened && <SettingsMenu />}</Suspense>
      </div>
    </>
  );
}
