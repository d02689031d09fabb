import { Suspense, useEffect, useState } from "react";
import { SearchIcon } from "../parts/icons.js";
import { later } from "../parts/later.js";
import { searchButton } from "../texts/en/search-button.js";

const Palette = later(async () => (await import("./palette.js")).Palette);

const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The button of the header that finds pages and records, and its key: ⌘K, or Ctrl and K. */
export function SearchButton() {
  const [isOpen, setOpen] = useState(false);
  const [hasOpened, setOpened] = useState(false);
  const open = () => {
    setOpened(true);
    setOpen(true);
  };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || event.altKey || event.shiftKey) return;
      if (!(IS_APPLE ? event.metaKey : event.ctrlKey)) return;
      event.preventDefault();
      open();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => {
      window.removeEventListener("keydown", onKeyDown);
    };
  }, []);
  return (
    <>
      <button
        type="button"
        className="shell-button shell-search"
        aria-haspopup="dialog"
        aria-keyshortcuts={IS_APPLE ? "Meta+K" : "Control+K"}
        onClick={open}
      >
        <SearchIcon />
        <span>{searchButton.search}</span>
        <kbd aria-hidden="true">{IS_APPLE ? "⌘ K" : searchButton.keys}</kbd>
      </button>
      {hasOpened && (
        <Suspense>
          <Palette
            isOpen={isOpen}
            onClose={() => {
              setOpen(false);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
